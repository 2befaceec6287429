/** `moorage sweep [--dry-run]` */
import type { CleanupReport } from '../../actions/operate/cleanup/options.js';
import { runCleanup } from '../../actions/operate/cleanup/run-cleanup.js';
import type { Run } from '../command.js';
import { print } from '../output.js';
import { progressOn } from '../progress.js';
import { withMigratedServices } from '../up-to-date.js';

export const sweepCommand: Run<{ dryRun?: true }> = async ({ dryRun = false, json }) => {
  // A new empty database would make every stored object look orphaned.
  await withMigratedServices(async (services) => {
    const progress = progressOn(process.stderr);
    const report = await runCleanup(services, {
      dryRun,
      begins: (step) => progress.begin(`Looking for: ${words[step].toLowerCase()} …`),
    });
    progress.clear();
    print(json, report, () =>
      (Object.keys(words) as (keyof CleanupReport)[])
        .map((step) => `${words[step]}: ${report[step]} ${dryRun ? 'to remove' : 'removed'}`)
        .join('\n'),
    );
  });
};

const words: { [step in keyof CleanupReport]: string } = {
  expired: 'Prepared uploads and unclaimed attachments whose time is over',
  trash: 'Files in the trash whose time is over',
  abandoned: 'Uploads and removals whose process died',
  staged: 'Staged objects that no prepared upload names',
  unfinished: 'Half-written objects of processes that died',
  events: 'Events of more than a week ago',
  notifications: 'Old notifications',
  audit: 'Old entries of the audit',
  fileLinks: 'File links that nobody claimed in time',
  credentials: 'Codes, tokens, sessions and wrong passwords whose time is over',
  deliveries: 'Old deliveries to webhooks',
  usage: 'Counted changes of the used storage',
};
