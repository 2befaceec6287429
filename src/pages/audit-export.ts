/** Serves the whole audit as lines of JSON, for administrators. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RequestHandler } from 'express';
import { auditLines } from '../actions/operate/audit/export-audit.js';
import type { Context } from '../context.js';
import { demandAdmin } from '../policies/can.js';

export const AUDIT_EXPORT = '/administration/audit.ndjson';

export const auditExport: RequestHandler = async (_req, res) => {
  const context = res.locals['context'] as Context;
  demandAdmin(context);
  res.set({
    'Content-Type': 'application/x-ndjson; charset=utf-8',
    'Content-Disposition': 'attachment; filename="audit.ndjson"',
    'Cache-Control': 'no-store',
  });
  await pipeline(Readable.from(auditLines(context.db)), res).catch((error: unknown) => {
    // A client must see that the export is not complete.
    res.destroy();
    context.log.warn({ err: error }, 'An export of the audit ended early.');
  });
};
