/**
 * Jest's light runner, with one pool of processes for all projects: loading the service takes longer
 * than most tests. Each file also has its own channel. The runner's channel is shared by all processes:
 * an answer for one of them goes to all, and one that is not yet listening waits for ever.
 */
import { createRunner } from 'jest-light-runner';

const runtime = 'child_process';
const filename = new URL('worker.mjs', import.meta.url).href;

export default class Runner extends createRunner({ runtime }) {
  constructor(globalConfig, ...rest) {
    super(globalConfig, ...rest);
    // Jest would run the tests in its own process if there is only one worker.
    this._runtime = runtime;
    this._testRunners = new SharedPool(globalConfig);
  }
}

/** The runner asks it for the pool of a project, and makes one if there is none. */
class SharedPool extends Map {
  constructor(globalConfig) {
    super();
    this.globalConfig = globalConfig;
  }

  has() {
    return this.size > 0;
  }

  get(projectConfig) {
    const [{ pool }] = this.values();
    const workerData = { globalConfig: this.globalConfig, projectConfig, runtime };
    const run = ({ path }) =>
      pool.run(
        { path, globals: projectConfig.globals },
        { filename, channel: channelWith(workerData) },
      );
    return { pool, run };
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
