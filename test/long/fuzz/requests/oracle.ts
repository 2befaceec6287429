/** What no response may be or contain. */
import { contractOf } from '../../../support/openapi.js';
import { HIDDEN_OWN_WORD, HIDDEN_WORD, MEMBERS_WORD, type World } from './world.js';
import type { Role } from './callers.js';
import { profile } from './routes.js';
import type { Reply, Wanted } from './wire.js';

/** Errors of a storage that fails. Every other 5xx status is a bug. */
const outbound = new Set(
  ['OutboundRequest:NotFound', 'MissingEnterpriseToken'].map(
    (name) => `urn:service-org:api:v3:errors:${name}`,
  ),
);

/** Fields of the graph that send requests to a storage. */
const asking = new Set(
  [
    'Storage.authorizationState',
    'Storage.authorizationProblem',
    'Storage.authorizeUrl',
    'Storage.file',
    'Storage.files',
    'Storage.health',
    'Storage.openUrl',
    'ProjectStorage.openUrl',
    'FileLink.status',
    'FileLink.originData',
    'FileLink.updatedAt',
    'FileLink.downloadUrl',
    'FileLink.openUrl',
    'Mutation.createStorage',
    'Mutation.updateStorage',
    'Mutation.setOAuthClientCredentials',
    'Mutation.createStorageFolder',
    'Mutation.prepareStorageUpload',
    'Mutation.createFileLinks',
  ].map((coordinate) => coordinate.split('.')[1]!),
);

const internals: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a stack trace', /\n\s+at |\\n\s+at |\.[cm]?[jt]s:\d+/],
  ['a file path', /node_modules|\/work\/|\/tmp\/|\/usr\/|\/home\/|file:\/\/\/(?!etc\/passwd)/],
  [
    'text of SQL',
    /SQLITE_|\bsqlite\b|select [^;]{1,200} from [`"\w]|insert into [`"\w]|update [`"\w]+ set |duplicate key value|violates (unique|check|foreign key|not-null) constraint|relation "|syntax error at or near/i,
  ],
  [
    'a name of our code',
    /TypeError|RangeError|ReferenceError|Cannot read propert|is not a function|undefined is not|\[object Object\]/,
  ],
];

export interface GraphError {
  path?: (string | number)[];
  extensions?: { errorIdentifier?: string; status?: number };
}

/** The errors of a GraphQL response. For a stream, those of all its events. */
export function errorsOf({ body, text }: Reply): GraphError[] {
  const answer = body as { errors?: GraphError[] } | null | undefined;
  if (answer !== undefined) return answer?.errors ?? [];
  return [...text.matchAll(/^data: (\{.*)$/gm)].flatMap(
    ([, data]) => (JSON.parse(data!) as { errors?: GraphError[] }).errors ?? [],
  );
}

/** @returns the errors in a response, each as a sentence */
export function wrongs(
  world: World,
  role: Role,
  wanted: Wanted,
  reply: Reply,
  asksStorage: boolean,
): string[] {
  const rest = wanted.path.startsWith('/api/v3');
  return [
    ...(rest ? restFaults(wanted, reply, asksStorage) : graphFaults(reply)),
    ...leaks(world, role, wanted, reply),
    ...(rest ? undescribed(wanted, reply) : []),
  ];
}

function restFaults({ method }: Wanted, { status, body }: Reply, asksStorage: boolean): string[] {
  if (status < 500) return [];
  // Without a body there is no reason. A bug would be in the log.
  if (method === 'HEAD' && status === 500 && asksStorage) return [];
  const { errorIdentifier } = (body ?? {}) as { errorIdentifier?: string };
  return status === 500 && asksStorage && outbound.has(errorIdentifier ?? '')
    ? []
    : [`status ${status}, ${errorIdentifier}`];
}

function graphFaults(reply: Reply): string[] {
  const own =
    reply.status >= 500 &&
    !errorsOf(reply).some(({ extensions }) => (extensions?.status ?? 500) >= 500)
      ? [`status ${reply.status} without such an error`]
      : [];
  return [
    ...own,
    ...errorsOf(reply)
      .filter(({ path, extensions }) => {
        if ((extensions?.status ?? 500) < 500) return false;
        const field = String(path?.filter((step) => typeof step === 'string').at(-1)).replace(
          /^[A-Z]\w*?_/,
          '',
        );
        return !(asking.has(field) && outbound.has(extensions?.errorIdentifier ?? ''));
      })
      .map((error) => `an error with ${JSON.stringify(error).slice(0, 500)}`),
  ];
}

/** Texts that only others may read, and texts that no caller may read. */
function leaks(
  { secrets }: World,
  role: Role,
  { path, body = Buffer.alloc(0), headers: sent }: Wanted,
  { headers, text }: Reply,
): string[] {
  const received = `${[...headers].map((line) => line.join(': ')).join('\n')}\n${text}`
    // Administrators see which database the service has.
    .replaceAll('"database":"SQLite"', '');
  const asked = `${path}\n${JSON.stringify(sent)}\n${body.toString('latin1')}`;
  const hidden = [
    HIDDEN_OWN_WORD,
    ...(role === 'admin' ? [] : [HIDDEN_WORD]),
    ...(role === 'admin' || role === 'member' ? [] : [MEMBERS_WORD]),
  ];
  return [
    ...hidden.filter((word) => received.includes(word)).map((word) => `tells ${role} ${word}`),
    ...secrets
      .filter((secret) => received.includes(secret))
      .map((secret) => `tells the secret ${secret}`),
    // A response may repeat its request.
    ...internals.flatMap(([what, pattern]) => {
      const found = pattern.exec(received)?.[0];
      return found === undefined || asked.includes(found) ? [] : [`tells ${what}: ${found}`];
    }),
  ];
}

/** Every response fits the OpenAPI description. */
function undescribed({ method, path }: Wanted, reply: Reply): string[] {
  // The description cannot have paths that a URL parser would change.
  if (
    new URL(path, 'http://service').pathname !== path.split('?')[0] ||
    /%(?![\da-f]{2})/i.test(path)
  )
    return [];
  try {
    contractOf(profile).check(method, path, reply);
    return [];
  } catch (error) {
    return [(error as Error).message.slice(0, 800)];
  }
}

/** The log lines that report our own errors or contain a secret. */
export function wrongLines({ lines, secrets }: World): string[] {
  // The folder of the files is the first secret. The log may contain it.
  return lines.splice(0).flatMap((line) => {
    const { level } = JSON.parse(line) as { level: number };
    if (level >= 50) return [`logged as our mistake: ${line.slice(0, 1_500)}`];
    const secret = secrets.slice(1).find((one) => line.includes(one));
    return secret === undefined ? [] : [`logged the secret ${secret}: ${line.slice(0, 500)}`];
  });
}
