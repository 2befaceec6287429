/** JSON batching: up to 20 calls in one. */
import { jsonOf, Refusal, type Call, type Reply } from './exchange.js';
import type { Service } from './graph.js';

interface Member {
  id: string;
  method: string;
  url: string;
  headers?: { [name: string]: string };
  body?: unknown;
  dependsOn?: string[];
}

type Answer = Pick<Reply, 'status' | 'headers'> & { id: string; body?: unknown };

const LARGEST = 20;

export function batch(service: Service, call: Call): Reply {
  const members = membersOf(call);
  const answers = new Map<string, Answer>();
  for (const member of members) answers.set(member.id, answerOf(service, call, member, answers));
  // The order of the answers is free, so it is never the one of the requests.
  return { status: 200, headers: {}, json: { responses: [...answers.values()].reverse() } };
}

/** @throws Refusal when the batch as a whole cannot be taken */
function membersOf(call: Call): Member[] {
  const { requests } = jsonOf(call);
  if (!Array.isArray(requests) || requests.length === 0)
    throw new Refusal('badRequest', 'Invalid batch payload format.');
  if (requests.length > LARGEST)
    throw new Refusal(
      'badRequest',
      `Number of batch request steps exceeds the maximum value of ${LARGEST}.`,
    );
  const seen = new Set<string>();
  for (const { id, method, url, headers = {}, body, dependsOn = [] } of requests as Member[]) {
    if (!id || seen.has(id))
      throw new Refusal('badRequest', `The request id ${id} is missing or not unique.`);
    if (!method || !url?.startsWith('/') || url.startsWith('/$batch'))
      throw new Refusal(
        'badRequest',
        `The request ${id} has no method, or no relative URL of a single request.`,
      );
    if (
      body !== undefined &&
      !Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
    )
      throw new Refusal('badRequest', `The request ${id} has a body without a Content-Type.`);
    if (dependsOn.some((other) => !seen.has(other)))
      throw new Refusal('badRequest', `The request ${id} depends on one that does not precede it.`);
    seen.add(id);
  }
  return requests;
}

function answerOf(
  { member: ask }: Service,
  { headers: { authorization } }: Call,
  { id, method, url, headers = {}, body, dependsOn = [] }: Member,
  before: Map<string, Answer>,
): Answer {
  if (dependsOn.some((other) => before.get(other)!.status >= 400))
    return { id, ...failedDependency() };
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  const own = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const reply = ask({
    method,
    path,
    query: new URLSearchParams(query),
    headers: { authorization, ...own },
    body: body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body)),
  });
  const { Location: location, ...others } = reply.headers;
  return {
    id,
    status: reply.status,
    headers: { ...others, ...(location !== undefined && { location }) },
    ...((reply.json ?? reply.content) !== undefined && {
      body: reply.json ?? String(reply.content),
    }),
  };
}

function failedDependency() {
  const { status, code, message } = new Refusal('dependency');
  return {
    status,
    headers: { 'Content-Type': 'application/json' },
    body: { error: { code, message } },
  };
}
