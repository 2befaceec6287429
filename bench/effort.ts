/** How long a run measures. */
import type { FileEffort } from './measure-files.js';
import type { MemoryEffort } from './measure-memory.js';
import type { RequestEffort } from './measure-requests.js';

export interface Effort extends RequestEffort, MemoryEffort, FileEffort {
  /** Length of a round at half load. */
  steadySeconds: number;
}

const MIB = 1024 * 1024;

export const whole: Effort = {
  rounds: 7,
  seconds: 3,
  warmUp: 8,
  steadySeconds: 5,
  memoryRequests: 100_000,
  calmSeconds: 10,
  fileRounds: 3,
  fileBytes: 1024 * MIB,
  parallelUploads: 8,
};
export const quick: Effort = {
  rounds: 3,
  seconds: 0.8,
  warmUp: 1.5,
  steadySeconds: 1.5,
  memoryRequests: 10_000,
  calmSeconds: 2,
  fileRounds: 2,
  fileBytes: 256 * MIB,
  parallelUploads: 8,
};
