/** Replaces the content of an attachment, which keeps its id and description. */
import type { Context } from '../../../context.js';
import type { IncomingFile } from '../../../http/incoming-file.js';
import { Attachment } from '../../../models/attachment.js';
import { leased } from '../../base/leases/queue.js';
import { demandValid } from '../../base/validation/demand-valid.js';
import { exchangeContents, replaceable } from './exchange-contents.js';
import { interruption } from './keep-attachment.js';
import { storeFile } from './store-file.js';

interface Replacement {
  id: number | undefined;
  file: IncomingFile;
  /** Absent: the name that the client sends with the file. */
  fileName: unknown;
}

/**
 * The new bytes arrive under a hidden row, as in every upload.
 * @throws NotFound, MissingPermission, PropertyConstraintViolation, InvalidRequestBody, Overloaded
 */
export const replaceAttachment = (context: Context, replacement: Replacement) =>
  context.finishing(replace(context, replacement));

async function replace(context: Context, { id, file, fileName }: Replacement): Promise<Attachment> {
  const chosen = await replaceable(context, id);
  demandValid(context);
  const ref = chosen.containerRef;
  const row = chosen.knownContainer;
  const container = ref && row && { type: ref.type, row };
  return storeFile(context, container, {
    file,
    details: { fileName: fileName ?? file.partName, description: chosen.descriptionText },
    recheck: async () => void (await replaceable(context, id)),
    keep: (hidden, stored) =>
      exchangeContents(context, {
        chosen,
        stored,
        lockOther: async (trx) => {
          const other = leased(Attachment, trx, hidden).where('phase', 'storing');
          const [fresh] = await context.db.lockRows(other);
          if (!fresh) throw await interruption(context.db, container);
          return fresh;
        },
      }),
  });
}
