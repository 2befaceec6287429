/** `moorage backup-done` */
import { reportBackup } from '../../actions/operate/diagnostics/backup-report.js';
import type { Run } from '../command.js';
import { print } from '../output.js';
import { withMigratedServices } from '../up-to-date.js';

export const backupDoneCommand: Run<object> = ({ json }) =>
  withMigratedServices(async (services) => {
    const reportedAt = await reportBackup(services);
    print(json, { reportedAt }, () => `Reported a backup at ${reportedAt}.`);
  });
