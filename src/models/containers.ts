/** The model classes of all kinds of containers. */
import type { ModelClass } from 'objection';
import type { ContainerType } from '../contract/container-kinds.js';
import { Activity } from './activity.js';
import type { ContainerRecord } from './container.js';
import { Meeting } from './meeting.js';
import { Post } from './post.js';
import { WikiPage } from './wiki-page.js';
import { WorkPackage } from './work-package.js';

const models = { WorkPackage, Activity, Meeting, Post, WikiPage } satisfies {
  [type in ContainerType]: unknown;
};

// Objection's types make no subclass assignable to its base class. A union of the five classes does
// not help: TypeScript cannot call its `.query()` (error 2684).
export const containerModels = models as unknown as {
  readonly [type in ContainerType]: ModelClass<ContainerRecord>;
};
