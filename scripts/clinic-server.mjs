// A small clinic that answers on loopback as fixtures/clinic describes it; its key can be changed while it runs.
import { createServer } from 'node:http';

const ROOMS = [
  { number: 12, floor: 2 },
  { number: 31, floor: 3 },
];
const PATIENTS = new Map([['p-1234567', { patient_id: 'p-1234567', name: 'Asha', visits: [] }]]);

const routes = [
  [
    'GET',
    /^\/v1\/rooms$/,
    (_path, query) => {
      const floor = query.get('floor');
      return [200, ROOMS.filter((room) => floor === null || room.floor === Number(floor))];
    },
  ],
  ['GET', /^\/v1\/patients\/([^/]+)$/, ([, id]) => found(id, (patient) => [200, patient])],
  [
    'POST',
    /^\/v1\/patients\/([^/]+)\/visits$/,
    ([, id], query, body) =>
      found(id, (patient) => {
        const visit = { number: patient.visits.length + 1, notify: query.get('notify') === 'true', ...body };
        patient.visits.push(visit);
        return [201, visit];
      }),
  ],
];

function found(id, answer) {
  const patient = PATIENTS.get(decodeURIComponent(id));
  return patient === undefined ? [404, { error: `there is no patient ${id}` }] : answer(patient);
}

async function answerTo(request, key) {
  if (request.headers['x-clinic-key'] !== key) return [401, { error: 'the key in X-Clinic-Key is not known' }];
  const { pathname, searchParams } = new URL(request.url, 'http://clinic');
  let text = '';
  for await (const chunk of request) text += chunk;
  for (const [method, pattern, answer] of routes) {
    const path = pattern.exec(pathname);
    if (path !== null && request.method === method)
      return answer(path, searchParams, text === '' ? {} : JSON.parse(text));
  }
  return [404, { error: 'there is nothing here' }];
}

/** Starts the clinic on a free port of 127.0.0.1. */
export async function startClinic(firstKey) {
  let key = firstKey;
  const server = createServer((request, response) => {
    answerTo(request, key)
      .catch((error) => [400, { error: error.message }])
      .then(([status, body]) => {
        response.writeHead(status, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify(body));
      });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    changeKey(next) {
      key = next;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
