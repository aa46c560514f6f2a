// The server of bench/calls.mjs, in a process of its own: takes any request and gives one small JSON answer. Prints its port.
import { createServer } from 'node:http';

const ANSWER = JSON.stringify({
  ok: true,
  visit: { id: 'v1042', title: 'Check of the left eye', minutes: 30, room: { name: 'Blue' } },
  links: ['/v1/visits/v1042', '/v1/rooms/blue'],
});

const server = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER));
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
// Ends with the process that started it, however that ends.
process.stdin.resume().on('end', () => process.exit());
