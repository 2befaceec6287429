/** The values in `res.locals`, which the server sets before a REST handler runs. */
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import type { Context } from '../../context.js';
import type { Profile } from '../../contract/profiles.js';
import { parseDatabaseId } from '../../contract/ids.js';
import { NotFound } from '../../contract/errors.js';

export interface Locals {
  context: Context;
  profile: Profile;
  baseUrl: string;
  log: Logger;
}

export const locals = (res: Response): Locals => res.locals as Locals;

/** The `{id}` of a path as an `ID` argument. @throws NotFound for anything else than a row id */
export function idOf(req: Request, name = 'id'): string {
  const value = req.params[name];
  if (typeof value !== 'string' || parseDatabaseId(value) === undefined) throw new NotFound();
  return value;
}

/** A project by its name in an address: its id, or its identifier. */
export const projectNamed = (name: string): { id?: string; identifier?: string } =>
  parseDatabaseId(name) === undefined ? { identifier: name } : { id: name };

/** The project of a path. */
export const projectOf = (req: Request) => projectNamed(String(req.params['id']));
