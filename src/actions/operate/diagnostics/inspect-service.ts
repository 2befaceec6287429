/** Says which parts of a running service work, and which are not configured. */
import type { Services } from '../../../context.js';
import { errorText } from '../../../contract/error-text.js';
import { Storage } from '../../../models/storage.js';
import { tryMail } from './try-mail.js';
import { tryScanner } from './try-scanner.js';
import { tryStore } from './try-store.js';
import { whyNotDirect } from './why-not-direct.js';

export interface Inspected {
  /** As `doctor` calls it. */
  name: string;
  /** Whether nothing is left to be configured. */
  isDone: boolean;
  /** One line: what was found, or what to set. */
  detail: string;
}

/** Each part is tried at the same time. A part that fails is told, not thrown. */
export function inspectService(services: Services): Promise<Inspected[]> {
  const { blobs, scanner, openId, settings, db } = services;
  const direct = whyNotDirect(settings);
  return Promise.all([
    inspect('blob store', true, async () => {
      await tryStore(blobs);
      return 'stores, reads, lists and removes';
    }),
    // On a disk there is none, and nothing to configure.
    ...(settings.blobs.kind === 's3'
      ? [
          inspect('direct upload', direct === undefined, async () =>
            direct === undefined ? 'the settings allow it' : `not available: ${direct}`,
          ),
        ]
      : []),
    inspect('scanner', scanner !== undefined, () => tryScanner(services)),
    inspect('e-mail', services.mailer !== undefined, () => tryMail(services)),
    inspect('OpenID provider', openId !== undefined, async () => {
      await openId?.check();
      return openId
        ? `${openId.host} answers and accepts the client`
        : 'off; OIDC_ISSUER names one';
    }),
    Storage.query(db.read)
      .resultSize()
      .then((count) => ({
        name: 'storages',
        isDone: count > 0,
        detail: count > 0 ? String(count) : 'none; administrators connect them',
      })),
  ]);
}

async function inspect(
  name: string,
  isConfigured: boolean,
  work: () => Promise<string>,
): Promise<Inspected> {
  try {
    return { name, isDone: isConfigured, detail: await work() };
  } catch (error) {
    return { name, isDone: false, detail: errorText(error) };
  }
}
