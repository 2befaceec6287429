/** A way in: how inputs are made, changed and sent. */
import type { Random } from '../crash/random.js';
import type { Budget } from './budgets.js';
import type { Ids } from './world.js';

export interface Sent {
  method: string;
  path: string;
  headers?: { [name: string]: string };
  body?: string | Buffer;
  /** The request is sent over as many connections, and nobody reads the answers. A body is sent as it is. */
  readers?: number;
  /** The connections of the readers are closed after as many ms. */
  leaveAfter?: number;
  /** The readers send the request as often in one packet. */
  times?: number;
  /** What the storage answers to every request. */
  storageAnswer?: Buffer;
  /** What a drive answers for the folder, before its list. */
  folderAnswer?: Buffer;
}

export interface Way<Input> {
  name: string;
  budget: Budget;
  /** For budgets of a MiB or a row: how many of them the input has. Default: 1. */
  units?(input: Input): number;
  /** Inputs to begin with, and those that broke a budget before. */
  first(ids: Ids): Input[];
  change(input: Input, random: Random, ids: Ids): Input;
  /** The requests, sent one after the other. The cost of the last one counts. */
  requests(input: Input, ids: Ids): Sent[];
}
