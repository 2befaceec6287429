/** Microsoft Graph and Entra ID over real HTTP: one tenant with one document library, for adapters and their tests. */
import type { ServerResponse } from 'node:http';
import { DOWNLOAD_PATH, download } from './cloud-drive/download.js';
import { token } from './cloud-drive/entra.js';
import type { Call, Reply } from './cloud-drive/exchange.js';
import { dressed, graph, type Service } from './cloud-drive/graph.js';
import { authorize, consent, signIn } from './cloud-drive/sign-in.js';
import { Tenant, type TenantIds } from './cloud-drive/tenant.js';
import { isUpload, Uploads } from './cloud-drive/upload.js';
import { serveFake, type FakeRequest, type FakeServer } from './http-server.js';

export type { NewPermission, Permission } from './cloud-drive/access.js';
export { challengeOf, type Client, type Throttle, type User } from './cloud-drive/tenant.js';

/** The server, and what a test arranges behind it; `repair` ends throttling too. */
export type CloudDrive = FakeServer & Tenant;

const VERSION = '/v1.0';

/** Says what is wrong with a request or an answer; undefined if nothing is. */
export interface Contract {
  request(call: Call, external: boolean): string | undefined;
  answer(call: Call, reply: Reply, external: boolean): string | undefined;
}

/**
 * @param options.port a free one when absent
 * @param options.ids of the tenant and its drive; random when absent
 */
export async function startCloudDrive({
  port,
  contract,
  ids,
}: { port?: number; contract?: Contract; ids?: TenantIds } = {}): Promise<CloudDrive> {
  const tenant = new Tenant(ids);
  const check: Check = (call, external, produce) =>
    checked(tenant, contract, { call, external, produce });
  const service: Service = {
    tenant,
    uploads: new Uploads(tenant),
    member: (call) => check(call, false, () => graph(service, call, { member: true })),
  };
  const server = await serveFake(
    (request, response) => send(response, answer(service, check, request)),
    port,
  );
  return Object.assign(tenant, server, {
    repair() {
      server.repair();
      tenant.throttles.length = 0;
    },
  });
}

type Check = (call: Call, external: boolean, produce: () => Reply) => Reply;

function answer(service: Service, check: Check, request: FakeRequest): Reply {
  const { tenant, uploads } = service;
  const { path, method } = request;
  if (path.startsWith(`${VERSION}/`)) {
    const call = { ...request, path: path.slice(VERSION.length) };
    return check(call, false, () => graph(service, call));
  }
  // Neither preflights, nor the target of a download, nor the forms of the sign-in pages are described.
  if (isUpload(path))
    return method === 'OPTIONS'
      ? uploads.answer(request)
      : check(request, true, () => dressed(request, () => uploads.answer(request)));
  if (path === DOWNLOAD_PATH && (method === 'GET' || method === 'HEAD'))
    return download(tenant, request);
  const [, name = '', page] =
    /^\/([^/]+)\/(login|consent|oauth2\/v2\.0\/(?:authorize|token))$/.exec(path) ?? [];
  if (page === 'login' && method === 'POST') return signIn(tenant, request, name);
  if (page === 'consent' && method === 'POST') return consent(tenant, request);
  return check(request, true, () => {
    if (page === 'oauth2/v2.0/authorize' && method === 'GET')
      return authorize(tenant, request, name);
    if (page === 'oauth2/v2.0/token' && method === 'POST') return token(tenant, request, name);
    throw new Error(`The fake does not offer ${method} ${path}.`);
  });
}

/** Answers, unless the request or the answer breaks the published description, or the fake cannot. */
function checked(
  tenant: Tenant,
  contract: Contract | undefined,
  { call, external, produce }: { call: Call; external: boolean; produce: () => Reply },
): Reply {
  const wrong = tenant.checkRequests ? contract?.request(call, external) : undefined;
  if (wrong !== undefined) return violation(tenant, wrong);
  let reply: Reply;
  try {
    reply = produce();
  } catch (error) {
    return violation(tenant, String((error as Error).stack));
  }
  const broken = contract?.answer(call, reply, external);
  return broken === undefined ? reply : violation(tenant, broken);
}

function violation({ violations }: Tenant, reason: string): Reply {
  violations.push(reason);
  return { status: 599, headers: { 'Content-Type': 'text/plain' }, content: reason };
}

function send(response: ServerResponse, { status, headers, json, content }: Reply): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.end(json === undefined ? content : JSON.stringify(json));
}
