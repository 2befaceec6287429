/** A module in its own process, which does tasks for another one, one at a time. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Worker<Task, Outcome> {
  run(task: Task): Promise<Outcome>;
  stop(): void;
}

/** Starts a module that calls `serveTasks`, by its `import.meta.url`. */
export function startWorker<Task extends object, Outcome>(
  url: string,
  title: string,
): Worker<Task, Outcome> {
  const child = fork(fileURLToPath(url), [], { execArgv: process.execArgv });
  let busy = false;
  const run = (task: Task) =>
    new Promise<Outcome>((resolve, reject) => {
      if (busy || !child.connected)
        return reject(new Error(`${title} ${busy ? 'is busy' : 'ended'}.`));
      busy = true;
      const ended = () => reject(new Error(`${title} ended.`));
      child.once('exit', ended);
      child.once('message', (message: { outcome?: Outcome; error?: string }) => {
        busy = false;
        child.off('exit', ended);
        if (message.outcome) resolve(message.outcome);
        else reject(new Error(message.error));
      });
      child.send(task);
    });
  return { run, stop: () => void child.kill('SIGTERM') };
}

/** Does incoming tasks if this module was started as a worker. Does nothing if it was imported. */
export function serveTasks<Task, Outcome>(
  url: string,
  run: (task: Task) => Promise<Outcome>,
): void {
  if (!process.send || process.argv[1] !== fileURLToPath(url)) return;
  process.on('message', (task: Task) => {
    run(task).then(
      (outcome) => process.send!({ outcome }),
      (error: Error) => process.send!({ error: error.message }),
    );
  });
  process.once('disconnect', () => process.exit(0));
}
