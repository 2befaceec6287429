/** `moorage audit` */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { auditLines } from '../../actions/operate/audit/export-audit.js';
import type { Run } from '../command.js';
import { withMigratedServices } from '../up-to-date.js';

export const auditCommand: Run<object> = () =>
  withMigratedServices(({ db }) =>
    pipeline(Readable.from(auditLines(db)), process.stdout, { end: false }),
  );
