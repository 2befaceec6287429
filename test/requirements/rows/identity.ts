/** D4: identity, sessions and secrets. */
import { section, type Row } from '../row.js';
import {
  attacks,
  authentication,
  authorizationServer,
  commandImport,
  commandRotateKey,
  commandToken,
  connections,
  directUpload,
  fileLinks,
  movedOrigin,
  openId,
  secrets,
  sessions,
  singleSignOn,
  storages,
} from '../proofs.js';

const browser = connections('leads to the storage with a state');
const sealed = [
  ...connections('stores no token, secret, code or verifier'),
  ...secrets('no response, no log line'),
];

export const identityRows: Row[] = [
  ...section('D4', [
    ['API keys', 'As Basic and as Bearer', 'auth/identify.ts', authentication('T201')],
    [
      'authorization code, PKCE',
      'Tokens of our own authorization server',
      'auth/provider/index.ts',
      [
        ...authorizationServer('obtains a token by code and PKCE'),
        ...attacks('need PKCE by SHA-256'),
      ],
    ],
    [
      'refresh',
      'Once for each token',
      'auth/provider/adapter.ts',
      authorizationServer('that refreshes several times', 'whose refresh token is used again'),
    ],
    [
      'client credentials',
      'Act as the owner',
      'auth/provider/configuration.ts',
      authorizationServer('act as the owner of the application'),
    ],
    [
      'revoke',
      'Ends tokens',
      'auth/provider/tokens.ts',
      authorizationServer(
        'obtains a token by code and PKCE',
        'connects, refreshes and disconnects',
      ),
    ],
    [
      'introspect',
      'Describes tokens, for their own client only',
      'auth/provider/configuration.ts',
      [
        ...authorizationServer('obtains a token by code and PKCE'),
        ...attacks('of others cannot be looked at'),
      ],
    ],
    [
      'discovery',
      'Describes the endpoints',
      'auth/provider/metadata.ts',
      authorizationServer('discovers us'),
    ],
    [
      'scope api_v3',
      'Is needed and the only one',
      'auth/provider/configuration.ts',
      authorizationServer('that asks for no scope', 'work over REST and GraphQL'),
    ],
    [
      'JWT',
      'Of a configured OpenID provider',
      'auth/openid/bearer.ts',
      openId('acts as its user, with one audience'),
    ],
    [
      'JWT, checked',
      'Issuer, audience, signature, time',
      'auth/openid/bearer.ts',
      openId('that is forged, foreign or out of time', 'without the scope is 403'),
    ],
    [
      'session',
      'A cookie with SameSite',
      'auth/sessions.ts',
      sessions(
        'gives a cookie that only',
        'over https uses a cookie',
        'T201: reads like any credential',
      ),
    ],
    [
      'session, writes',
      'From our own pages only',
      'auth/own-page.ts',
      sessions('writes from our own pages', 'T202'),
    ],
    [
      'uploaded is a write',
      'Is held to the same',
      'auth/own-page.ts',
      sessions('writes from our own pages'),
    ],
    [
      'uploaded, HEAD',
      'Completes nothing',
      'rest/routes/attachments.ts',
      directUpload('HEAD completes nothing'),
    ],
    ['uploaded, cache', 'Is not kept', 'rest/routes/attachments.ts', directUpload('T84, T88')],
    [
      'two seconds, key',
      'A revoked key ends in every process',
      'concurrency/cache.ts',
      commandToken('a new key works at once'),
    ],
    [
      'two seconds, token',
      'A revoked token ends in every process',
      'concurrency/cache.ts',
      [
        ...authorizationServer('share sign-ins, codes', 'end with their application'),
        ...openId('ends with its user within two'),
      ],
    ],
    [
      'two seconds, permission',
      'One that was taken ends in every process',
      'policies/grants.ts',
      commandImport('by another process changes'),
    ],
    [
      'anonymous',
      'A request without credentials',
      'auth/identify.ts',
      authentication('nothing presented'),
    ],
    [
      'anonymous, permissions',
      'Of the role Anonymous, in public projects',
      'policies/grants.ts',
      [...authentication('T203'), ...storages('a visitor sees what')],
    ],
    ['wrong credentials', '401 with a challenge', 'auth/identify.ts', authentication('T200')],
    [
      'hashes',
      'Of keys, tokens and cookies',
      'auth/sessions.ts',
      [
        ...attacks('are in no log line, no page'),
        ...commandImport('stores passwords as scrypt hashes'),
        ...sessions('gives a cookie that only'),
      ],
    ],
    [
      'sealed',
      'Secrets that the service must send again',
      'secrets/keyring.ts',
      [...sealed, ...storages('no answer, no log line')],
    ],
    [
      'rotation of the key',
      'The text names its key',
      'actions/secrets/rotate-secrets.ts',
      commandRotateKey('every sealed column', 'users stay connected', 'secrets that no key opens'),
    ],
    [
      'authorize',
      'Our own address',
      'resolvers/storage.ts',
      [...storages('T178'), ...connections('FailedAuthorization with the address')],
    ],
    [
      'ensure_connection',
      'Redirects to the storage',
      'actions/connections/begin-connection.ts',
      browser,
    ],
    [
      'callback',
      'Comes back with a code',
      'actions/connections/finish-connection.ts',
      [...browser, ...connections('ends if the credentials are replaced')],
    ],
    [
      'state',
      'Is bound to the session, once, for ten minutes',
      'auth/connections/attempts.ts',
      connections('refuses a forged state, a repeated one', 'refuses a state that is older'),
    ],
    ['PKCE', 'Where the storage has it', 'auth/connections/grants.ts', browser],
    [
      'destination',
      'Is one of ours',
      'actions/connections/begin-connection.ts',
      connections('never ends at %s'),
    ],
    [
      'single-flight',
      'One refresh for each user and storage',
      'auth/token-rotation.ts',
      connections(
        'of one server, with an expired token',
        'of two servers make exactly one refresh',
      ),
    ],
    [
      'rotated token',
      'Is kept whatever happens',
      'auth/token-rotation.ts',
      connections(
        'a refresh that is slower',
        'a server that stops during',
        'a new token is kept even',
      ),
    ],
    [
      'definite refusal, cloud drive',
      'invalid_grant clears the tokens, another error does not',
      'storages/cloud-drive/oauth.ts',
      connections('a grant that the user revoked', 'a failed refresh ends the connection'),
    ],
    [
      'definite refusal, self-hosted',
      'Any 400 clears the tokens',
      'storages/self-hosted-file-server/oauth.ts',
      connections('a grant that the user revoked', 'a failed refresh ends the connection'),
    ],
    [
      'no definite refusal',
      'Clears nothing',
      'auth/token-rotation.ts',
      [
        ...connections('instead of a refreshed token never'),
        ...fileLinks('storage cannot refresh the token now'),
      ],
    ],
    [
      'moved origin',
      'Drops client credentials, tokens and password',
      'actions/storages/update-storage.ts',
      [
        ...storages(
          'a changed origin drops',
          'a password that was checked at one host',
          'the same origin in other words',
        ),
        ...movedOrigin('is a conflict, and nothing is kept'),
      ],
    ],
    [
      'moved tenant',
      'Drops client credentials, tokens and password',
      'actions/storages/update-storage.ts',
      storages('a changed tenant drops'),
    ],
    [
      'new client credentials',
      'Drop the tokens of users',
      'actions/storages/set-client-credentials.ts',
      storages('T185: replaced'),
    ],
    [
      'OAuth2SSO, exchange',
      'The token is exchanged for the audience',
      'auth/openid/tokens.ts',
      singleSignOn('another token is exchanged'),
    ],
    [
      'OAuth2SSO, as it is',
      'One that fits is used',
      'auth/openid/tokens.ts',
      singleSignOn('a token with the right audience', 'the audience __op-idp__'),
    ],
  ]),
];
