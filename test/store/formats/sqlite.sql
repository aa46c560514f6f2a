-- A SQLite store of the first schema, as it was written: a later program must open it.
CREATE TABLE "toolwright_migrations" ("name" varchar(255) not null primary key,
  "timestamp" varchar(255) not null);
CREATE TABLE "toolwright_migrations_lock" ("id" varchar(255) not null primary key,
  "is_locked" integer default 0 not null);
CREATE TABLE "revisions" ("organization" text not null,
  "project" text not null,
  "kind" text not null,
  "number" bigint not null,
  constraint "revisions_key" primary key ("organization", "project", "kind")
);
CREATE TABLE "tools" ("organization" text not null,
  "project" text not null,
  "id" text not null,
  "name" text not null,
  "stem" text,
  "server" text,
  "set" text,
  "operation" text,
  "connection_id" text,
  "record" text not null,
  constraint "tools_key" primary key ("organization", "project", "id"),
  constraint "tools_name" unique ("organization", "project", "name"),
  constraint "tools_origin" unique ("organization", "project", "server", "set", "operation")
);
CREATE INDEX "tools_stem" on "tools" ("organization", "project", "stem");
CREATE INDEX "tools_connection_id" on "tools" ("organization", "project", "connection_id");
CREATE TABLE "connections" ("organization" text not null,
  "project" text not null,
  "id" text not null,
  "record" text not null,
  constraint "connections_key" primary key ("organization", "project", "id")
);
CREATE TABLE "calls" ("organization" text not null,
  "project" text not null,
  "number" bigint not null,
  "record" text not null,
  constraint "calls_key" primary key ("organization", "project", "number")
);
insert into "toolwright_migrations" ("name", "timestamp") values ('1', '2026-01-01T00:00:00.000Z');
insert into "toolwright_migrations_lock" ("id", "is_locked") values ('migration_lock', 0);
insert into "revisions" ("organization", "project", "kind", "number") values ('default', 'default', 'tools', 1);
insert into "revisions" ("organization", "project", "kind", "number") values ('default', 'default', 'connections', 1);
insert into "revisions" ("organization", "project", "kind", "number") values ('default', 'default', 'calls', 1);
insert into "tools" ("organization", "project", "id", "name", "stem", "server", "set", "operation", "connection_id", "record") values ('default', 'default', 'tool_5d1f9fd57269897037c98d39', 'listVisits', null, 'https://api.clinic.example/v1', '', 'listVisits', 'conn_ac8d8342bbb2362d13f0a559', '{"config":{"endpoint":"https://api.clinic.example/v1/listVisits","locations":{"limit":"query"},"method":"GET"},"connection_id":"conn_ac8d8342bbb2362d13f0a559","deadline_seconds":30,"description":"Does listVisits.","fixed_parameters":{},"id":"tool_5d1f9fd57269897037c98d39","input_schema":{"additionalProperties":false,"properties":{"limit":{"type":"integer"}},"type":"object"},"name":"listVisits","origin":{"operation":"listVisits","server":"https://api.clinic.example/v1"}}');
insert into "tools" ("organization", "project", "id", "name", "stem", "server", "set", "operation", "connection_id", "record") values ('default', 'default', 'tool_3d5fecbe54f1d010a3e5067e', 'listVisits_2', 'listVisits', 'https://api.clinic.example/v1', 'other', 'listVisits', null, '{"config":{"endpoint":"https://api.clinic.example/v1/listVisits_2","locations":{"limit":"query"},"method":"GET"},"deadline_seconds":30,"description":"Does listVisits_2.","fixed_parameters":{"limit":5},"id":"tool_3d5fecbe54f1d010a3e5067e","imported_description":"Its own.","input_schema":{"additionalProperties":false,"properties":{"limit":{"type":"integer"}},"type":"object"},"name":"listVisits_2","origin":{"operation":"listVisits","server":"https://api.clinic.example/v1","set":"other"}}');
insert into "tools" ("organization", "project", "id", "name", "stem", "server", "set", "operation", "connection_id", "record") values ('default', 'default', 'tool_86a431bb16ad4fc733f6a103', 'note', null, null, null, null, null, '{"config":{"endpoint":"https://api.clinic.example/v1/note","locations":{"limit":"query"},"method":"GET"},"deadline_seconds":30,"description":"Naïve “text” \ud800","fixed_parameters":{},"id":"tool_86a431bb16ad4fc733f6a103","input_schema":{"additionalProperties":false,"properties":{"limit":{"type":"integer"}},"type":"object"},"name":"note"}');
insert into "connections" ("organization", "project", "id", "record") values ('default', 'default', 'conn_ac8d8342bbb2362d13f0a559', '{"header":"X-Key","id":"conn_ac8d8342bbb2362d13f0a559","order":1,"placement":"header","provider":"http_key","secret":{"kind":"env","name":"KEY"},"status":"healthy"}');
insert into "connections" ("organization", "project", "id", "record") values ('default', 'default', 'conn_c100f95c1913f9c72fc1f4ef', '{"group":"g","id":"conn_c100f95c1913f9c72fc1f4ef","order":2,"provider":"google","reason":"gone","scopes":["https://www.example.com/auth/records"],"secret":{"jwe":"e30..AA.AA.AA","kind":"sealed"},"status":"broken"}');
insert into "calls" ("organization", "project", "number", "record") values ('default', 'default', 1, '{"at":"2030-01-02T03:04:05.678Z","tool_id":"tool_5d1f9fd57269897037c98d39","tool":"listVisits","outcome":"answer","attempts":1,"status":200,"duration_ms":12}');
