/**
 * Jest's light runner with a channel for each test file. Its own channel is shared by all workers: an
 * answer for one of them goes to all, and one that is not yet listening waits for ever.
 */
import { createRunner } from 'jest-light-runner';

const runtime = 'child_process';

export default class Runner extends createRunner({ runtime }) {
  constructor(globalConfig, ...rest) {
    super(globalConfig, ...rest);
    this._testRunners = new ProjectRunners(globalConfig);
  }
}

/** The pool of each project, and how it runs a file. */
class ProjectRunners extends Map {
  constructor(globalConfig) {
    super();
    this.globalConfig = globalConfig;
  }

  set(projectConfig, { pool }) {
    const workerData = { globalConfig: this.globalConfig, projectConfig, runtime };
    const run = ({ path }) => pool.run(path, { channel: channelWith(workerData) });
    return super.set(projectConfig, { pool, run });
  }
}

function channelWith(workerData) {
  let send;
  return {
    onMessage(listener) {
      send = listener;
    },
    postMessage(message) {
      if (message === 'jest-light-runner-get-worker-data')
        send({ type: 'jest-light-runner-worker-data', workerData });
    },
  };
}
