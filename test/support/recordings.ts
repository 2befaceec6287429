/** Recorded requests and answers of a real file server. */
import { readFileSync } from 'node:fs';

export interface Message {
  /** By lower-case name. */
  headers: Map<string, string>;
  body: string;
}

export interface Recording {
  request: Message & { method: string; target: string };
  response: Message & { status: number };
}

export function readRecording(path: string): Recording {
  const text = readFileSync(path, 'utf8').replace(/^(#.*\n)+/, '');
  const start = text.indexOf('\n< HTTP/');
  const request = message(text.slice(0, start), '>');
  const response = message(text.slice(start + 1), '<');
  const [method = '', target = ''] = request.first.split(' ');
  return {
    request: { ...request, method, target },
    response: { ...response, status: Number(response.first.split(' ')[1]) },
  };
}

function message(text: string, mark: string): Message & { first: string } {
  const lines = text.split('\n');
  const length = lines.findIndex((line) => !line.startsWith(`${mark} `) || line.trim() === mark);
  const [first = '', ...headers] = lines.slice(0, length).map((line) => line.slice(2));
  return {
    first,
    headers: new Map(
      headers.map((line): [string, string] => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    ),
    body: lines
      .slice(length + 1)
      .join('\n')
      .replace(/\n$/, ''),
  };
}
