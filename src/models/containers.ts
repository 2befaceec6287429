/** The classes of the kinds of containers. */
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

/** By the common ancestor: a union of model classes does not type `.query()` (TypeScript error 2684). */
export const containerModels = models as unknown as {
  readonly [type in ContainerType]: ModelClass<ContainerRecord>;
};
