// An honest server on loopback that redirects wherever its URL says, byte for byte, as a hostile one would.
import type { IncomingMessage } from 'node:http';
import { type Loopback, serve } from '../wire/loopback.js';

export interface Front extends Loopback {
  readonly requests: readonly IncomingMessage[];
  /** A URL of this server that answers with this Location. */
  redirect(status: number, location: string): string;
  /** A URL from which it takes so many redirects to come to a Location, the last one included. */
  hops(number: number, location: string): string;
  /** A URL that answers with this text. */
  serve(text: string): string;
  /** A URL that answers with these headers. */
  answer(status: number, headers: { readonly [name: string]: string }): string;
}

export async function front(): Promise<Front> {
  const answers: string[] = [];
  const bodies = new Map<number, string>();
  const requests: IncomingMessage[] = [];
  const server = await serve((request) => {
    requests.push(request);
    const number = /^\/answer\/(\d+)$/.exec(request.url ?? '')?.[1];
    const head = number === undefined ? 'HTTP/1.1 404 None' : answers[Number(number)];
    // Raw, because node would refuse to write what a hostile server may.
    const body = number === undefined ? '' : (bodies.get(Number(number)) ?? '');
    request.socket.write(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`);
    request.socket.end();
  });
  const answer = (status: number, headers: { readonly [name: string]: string }) => {
    const lines = Object.entries(headers).map(([name, value]) => `\r\n${name}: ${value}`);
    answers.push(`HTTP/1.1 ${status} Answer${lines.join('')}`);
    return `${server.origin}/answer/${answers.length - 1}`;
  };
  const redirect = (status: number, location: string) => answer(status, { Location: location });
  const hops = (number: number, location: string): string =>
    redirect(302, number === 1 ? location : hops(number - 1, location));
  const text = (body: string): string => {
    bodies.set(answers.length, body);
    return answer(200, { 'Content-Type': 'application/json' });
  };
  return { ...server, requests, serve: text, answer, redirect, hops };
}
