/** Applies a plan: performs its steps, and records what became of each folder. */
import { fewAtOnce } from '../../../concurrency/at-once.js';
import type { Access } from '../../../storages/adapter.js';
import {
  PeopleRefused,
  type FolderPlan,
  type FolderStep,
  type ManagedFolders,
} from '../../../storages/managed-folders.js';
import { endsSync, failureMessage, isRefusal } from './failure-message.js';
import { stepText } from './step-text.js';
import { Postponed } from './postponed.js';

/** Calls to one storage at the same time. */
const AT_ONCE = 4;

export interface Applied {
  /** By key: why the folder is not in step, and what to do. */
  failed: Map<number, string>;
  /** Keys of folders that were changed. */
  changed: Set<number>;
  /** Ids at the storage that it refused, each with the message. */
  refused: Map<string, string>;
  /** Messages of failed steps that concern no project. */
  others: string[];
  /** What the storage said of people who cannot leave the group. They have no rights there. */
  notes: string[];
  /** Ids of folders that were to be deleted, and are still there. */
  undeleted: Set<string>;
  /** Whether somebody who joins the group could read a folder without a right. */
  isExposed: boolean;
}

interface Applying {
  access: Access;
  folders: ManagedFolders;
  /**
   * Called before the folder is made, and with null when the storage refused to make it. What it
   * stores survives a crash.
   */
  making(key: number, name: string | null): Promise<void>;
  /** Called as soon as the id of a folder is known. */
  made(key: number, id: string): Promise<void>;
  /** Called after each step. */
  performed(step: FolderStep, outcome: 'ok' | 'failed'): void;
}

/** @throws the failure after which no other step can succeed */
export async function applyPlan(plan: FolderPlan, applying: Applying): Promise<Applied> {
  const applied: Applied = {
    failed: new Map(plan.problems.map(({ key, message }) => [key, message])),
    changed: new Set(),
    refused: new Map(),
    others: [],
    notes: [],
    undeleted: new Set(),
    isExposed: false,
  };
  const ids = new Map<number, string>();
  /** Keys with a failed step. Their later steps would fail too. */
  const broken = new Set<number>();
  for (const phase of plan.phases)
    await fewAtOnce(AT_ONCE, chains(phase), async (chain) => {
      for (const step of chain) {
        if (step.key !== undefined && broken.has(step.key)) return;
        if (await performOne(step, applying, applied, ids)) continue;
        for (const key of keysAfter(step)) broken.add(key);
        return;
      }
    });
  return applied;
}

/** Keys whose later steps need this one. */
const keysAfter = (step: FolderStep): readonly number[] =>
  step.kind === 'stage' ? step.serves : step.key === undefined ? [] : [step.key];

/** Steps for the same folder run one after the other. */
function chains(steps: readonly FolderStep[]): FolderStep[][] {
  const byKey = new Map<number, FolderStep[]>();
  const found: FolderStep[][] = [];
  for (const step of steps) {
    const known = step.key === undefined ? undefined : byKey.get(step.key);
    if (known) {
      known.push(step);
      continue;
    }
    const chain = [step];
    found.push(chain);
    if (step.key !== undefined) byKey.set(step.key, chain);
  }
  return found;
}

const NOBODY_JOINS =
  'Nobody can join the group OpenProject until another folder is hidden from it. ' +
  'Look at the messages of the storage, and run the synchronisation again.';

/** Records a failure with each folder that the step serves; without one, with the storage. */
function fail({ failed, others }: Applied, step: FolderStep, message: string): void {
  const served = step.kind === 'join' ? step.serves : keysAfter(step);
  if (served.length === 0) others.push(`Not done: ${stepText(step)}. ${message}`);
  for (const key of served) if (!failed.has(key)) failed.set(key, message);
}

/** @returns whether the next step for the same folder may follow */
async function performOne(
  step: FolderStep,
  { access, folders, making, made, performed }: Applying,
  applied: Applied,
  ids: Map<number, string>,
): Promise<boolean> {
  const { key } = step;
  if (step.kind === 'join' && applied.isExposed) {
    performed(step, 'failed');
    fail(applied, step, NOBODY_JOINS);
    return false;
  }
  try {
    if (step.kind === 'create') await making(step.key, step.name);
    const id = await folders.perform(access, step, (of) => ids.get(of));
    if (id !== undefined && key !== undefined) {
      ids.set(key, id);
      await made(key, id);
    }
  } catch (error) {
    if (error instanceof Postponed) throw error;
    performed(step, 'failed');
    // What has this name now was made by somebody else.
    if (step.kind === 'create' && isRefusal(error)) await making(step.key, null);
    if (step.kind === 'delete') applied.undeleted.add(step.id);
    if (error instanceof PeopleRefused) {
      if (step.kind === 'leave') applied.notes.push(error.message);
      else for (const person of error.people) applied.refused.set(person, error.message);
      return true;
    }
    // Without the rules of the top, the group can read and change every new folder.
    if (endsSync(error) || step.kind === 'open_top') throw error;
    applied.isExposed ||= step.exposed === true;
    fail(applied, step, failureMessage(error) ?? '');
    return false;
  }
  performed(step, 'ok');
  if (key !== undefined) applied.changed.add(key);
  return true;
}
