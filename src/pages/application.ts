/** The web application: one page at all its addresses. The build makes it from `web`. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { Logger } from 'pino';
import type { SignedIn, Sessions } from '../auth/sessions.js';
import { makeContext, type Context, type Services } from '../context.js';
import { NotFound } from '../contract/errors.js';
import { globalId, parseDatabaseId } from '../contract/ids.js';
import { can } from '../policies/can.js';
import * as documents from '../rest/generated/documents.js';
import { run } from '../rest/documents/run.js';
import { HOME, signedInAddresses, type Address } from './application-addresses.js';
import { pageErrors } from './failure.js';
import { wrongAddresses } from './wrong-address.js';

const NONCE = '__NONCE__';
const file = new URL('../../assets/web.html', import.meta.url);

/** The page between its nonces. Read at the first request: commands need no pages. */
let parts: readonly string[] | undefined;
const pageWith = (nonce: string): string =>
  (parts ??= readFileSync(file, 'utf8').split(NONCE)).join(nonce);

/** @returns the pages, and the page at an address that nothing else answers */
export function applicationPages(services: Services & { sessions: Sessions }): {
  pages: RequestHandler;
  wrongAddress: RequestHandler;
} {
  const { sessions } = services;
  const show = async (res: Response, signedIn: SignedIn | undefined, address?: Address) => {
    const nonce = randomBytes(16).toString('base64');
    const context =
      signedIn && makeContext(services, signedIn.user, { log: res.locals['log'] as Logger });
    if (!address || (context && !(await isThere(context, address, res.req))))
      res.status(new NotFound().status);
    const policy = policyOf({
      nonce,
      store: await services.blobs.origin?.(),
      storages: context ? await storageOrigins(context) : [],
      uploadHosts: services.settings.cloudDriveUploadHosts,
    });
    res
      .set({
        'Content-Security-Policy': policy,
        'Cache-Control': 'no-store',
        'Referrer-Policy': 'same-origin',
        'X-Content-Type-Options': 'nosniff',
      })
      .type('html')
      .send(pageWith(nonce));
  };

  const router = Router().get(HOME, async (req, res) =>
    show(res, await sessions.forPage(req, res), { path: HOME }),
  );
  for (const address of signedInAddresses)
    router.get(address.path, sessions.requireSignIn, (_req, res) =>
      show(res, res.locals as SignedIn, address),
    );
  const wrongAddress = wrongAddresses(async (req, res) =>
    show(res, await sessions.forPage(req, res)),
  );
  return { pages: router.use(pageErrors), wrongAddress: Router().use(wrongAddress, pageErrors) };
}

/** Whether the person sees what the address names. The page itself says what is missing. */
async function isThere(
  context: Context,
  { names }: Address,
  { params }: Request,
): Promise<boolean> {
  if (names === 'Administration') return can.administer(context);
  const { id, identifier } = params as { id?: string; identifier?: string };
  try {
    if (names === 'Project') {
      await run(context, documents.ViewProjectOfPageDocument, { identifier: String(identifier) });
    } else if (names !== undefined) {
      const number = parseDatabaseId(String(id));
      if (number === undefined) return false;
      await run(context, documents.ViewContainerOfPageDocument, { id: globalId(names, number) });
    }
    return true;
  } catch (error) {
    if (error instanceof NotFound) return false;
    throw error;
  }
}

interface Origins {
  nonce: string;
  /** The origin of an object store. */
  store: string | undefined;
  /** Origins of the storages that the person sees: files are sent there. */
  storages: readonly string[];
  /** Where cloud drives take files. */
  uploadHosts: readonly string[];
}

function policyOf({ nonce, store, storages, uploadHosts }: Origins): string {
  const files = store === undefined ? [] : [store];
  const media = ["'self'", 'blob:', 'data:', ...files].join(' ');
  const connect = ["'self'", ...new Set([...files, ...storages, ...uploadHosts])].join(' ');
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src ${media}`,
    `media-src ${media}`,
    "font-src 'self'",
    "worker-src 'self'",
    `connect-src ${connect}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ');
}

/** The origins of the newest hundred storages: browsers and proxies limit the length of a header. */
async function storageOrigins(context: Context): Promise<string[]> {
  const { storages } = await run(context, documents.ListStorageOriginsDocument, {});
  return storages.nodes.flatMap(({ origin }) => (origin === null ? [] : sourceOf(origin)));
}

/** A host name may have characters that would end a directive of the policy. It is left out then. */
function sourceOf(address: string): string[] {
  const { origin } = new URL(address);
  return /^https?:\/\/[\w.:[\]-]+$/.test(origin) ? [origin] : [];
}
