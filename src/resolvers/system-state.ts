/** The state of the service, for administrators only. */
import { Ctx, FieldResolver, Query, Resolver } from 'type-graphql';
import { lastBackup } from '../actions/operate/diagnostics/backup-report.js';
import { inspectService } from '../actions/operate/diagnostics/inspect-service.js';
import {
  countWaiting,
  oldestWaiting,
  pendingUploads,
} from '../actions/operate/diagnostics/queues.js';
import type { Context } from '../context.js';
import { fieldWeights } from '../contract/field-weights.js';
import { version } from '../contract/version.js';
import { MAX_WAITING, QueueState, SystemCheck, SystemState } from '../models/system-state.js';
import { demandAdmin } from '../policies/can.js';
import { ADMINS } from './schema-phrases.js';

@Resolver(() => SystemState)
export class SystemStateResolver {
  @Query(() => SystemState, {
    description:
      'Returns the state of the service, as the process that answers sees it. ' +
      `Errors: ${ADMINS}. Access tokens of applications are refused.`,
  })
  async systemState(@Ctx() context: Context): Promise<Omit<SystemState, 'queues' | 'checks'>> {
    demandAdmin(context);
    return {
      version,
      nodeVersion: process.versions.node,
      database: context.db.client === 'sqlite' ? 'SQLite' : 'PostgreSQL',
      lastBackupAt: await lastBackup(context),
      pendingUploads: await pendingUploads(context),
    };
  }

  @FieldResolver(() => [QueueState], {
    complexity: fieldWeights.searched,
    description: 'The queues of the background work.',
  })
  async queues(@Ctx() context: Context): Promise<QueueState[]> {
    const [ages, counts] = [await oldestWaiting(context), await countWaiting(context, MAX_WAITING)];
    return Object.entries(ages).map(([name, seconds]) => ({
      name,
      waiting: counts[name] ?? 0,
      oldestSeconds: Math.round(seconds),
    }));
  }

  @FieldResolver(() => [SystemCheck], {
    complexity: fieldWeights.listed,
    description:
      'Tries the file store, the scanner, the OpenID provider and what else is configured. ' +
      'It writes a small object to the store and removes it.',
  })
  checks(@Ctx() context: Context): Promise<SystemCheck[]> {
    return inspectService(context);
  }
}
