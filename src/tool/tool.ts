// What an HTTP tool is, as stored and as shown.

/** A JSON Schema 2020-12 of our own making: closed, bounded, without references. */
export type Schema = { readonly [keyword: string]: unknown };

/** Where one argument goes on the wire, where that is more than a place. */
export interface Place {
  readonly in: 'path' | 'query' | 'querystring' | 'header' | 'body';
  /** The name on the wire, where it differs from the argument's. */
  readonly name?: string;
  /** OpenAPI's style, where it differs from the default of the place (form in a query, simple elsewhere). */
  readonly style?: string;
  /** OpenAPI's explode, where it differs from the default of the style (true for form, else false). */
  readonly explode?: boolean;
  readonly allow_reserved?: boolean;
  /** The value is written in this media type (a parameter under `content`). */
  readonly content_type?: string;
}

/** An entry for each argument but a plain gap of the path. */
export type Locations = { readonly [argument: string]: 'query' | 'header' | 'body' | Place };

/** How one property of a form or of several parts is written; only what the description says or the property needs. */
export interface PartEncoding {
  /** As a query parameter (OpenAPI 3.1.1, Encoding Object): where one of the three is given, `content_type` is not. */
  readonly style?: string;
  readonly explode?: boolean;
  readonly allow_reserved?: boolean;
  /** Else by its value: text, or JSON for an object. Of a file the one that it is sent under unless it names its own. */
  readonly content_type?: string;
  /** The value is `{ data, filename?, content_type? }`, `data` being Base64 or a data URI, or a list of them. */
  readonly file?: true;
}

export interface ToolBody {
  /** As it is sent; of several parts without their boundary. */
  readonly content_type: string;
  readonly required: boolean;
  /** The one argument that is the whole body; of a body of bytes its Base64 or a data URI. */
  readonly whole?: string;
  /** Of a form or several parts, by their names on the wire. */
  readonly encoding?: { readonly [property: string]: PartEncoding };
}

export interface HttpConfig {
  /**
   * Absolute URL with gaps in its path: `https://api.example.com/v1/things/{id}`. The value of a gap `{+id}` may hold slashes
   * (RFC 6570, section 3.2.3); its location is `{ in: 'path', allow_reserved: true }`.
   */
  readonly endpoint: string;
  readonly method: string;
  readonly locations?: Locations;
  readonly body?: ToolBody;
  readonly headers?: { readonly [name: string]: string };
  readonly attempts?: number;
}

/** The identity of an imported tool. Server URLs are stored normalized. */
export interface Origin {
  readonly server: string;
  /** The key of the operation. */
  readonly operation: string;
  /** A label that keeps apart two descriptions of one server. */
  readonly set?: string;
}

/** What the API owns of an imported tool: an import refreshes it. */
export interface OwnedForm {
  readonly endpoint: string;
  readonly method: string;
  readonly locations: Locations;
  readonly body?: ToolBody;
  readonly input_schema: Schema;
  /** Of what a good answer holds in JSON; its root is an object. */
  readonly output_schema?: Schema;
  readonly description: string;
}

export interface HttpTool {
  /** `tool_` and 24 hexadecimal digits; of an imported tool made from its identity. */
  readonly id: string;
  readonly name: string;
  /** What the model is shown: a person's own text, else the API's. */
  readonly description: string;
  /** The API's own text, where a person's stands in `description`. */
  readonly imported_description?: string;
  readonly input_schema: Schema;
  readonly output_schema?: Schema;
  readonly config: HttpConfig;
  readonly fixed_parameters: { readonly [name: string]: unknown };
  /** 1 to 300. */
  readonly deadline_seconds: number;
  readonly connection_id?: string;
  readonly connection_group?: string;
  /** Optional properties of the body that a person wants shown beyond the first ones, and arguments that nobody is to be shown. */
  readonly shown_parameters?: readonly string[];
  readonly hidden_parameters?: readonly string[];
  /** Imported tools only. */
  readonly origin?: Origin;
  /** What the API says by now, where it waits for a person's approval. */
  readonly pending?: OwnedForm;
  /** The digest of the owned form that was approved, where approval is asked for. */
  readonly approved?: string;
}
