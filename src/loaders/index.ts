/** Makes the loaders of a request, each at its first use. */
import type { Dependencies } from './dependencies.js';
import { containerLoader, projectLoader, userLoader } from './rows-by-id.js';
import {
  credentialsLoader,
  oauthApplicationLoader,
  storageTokenLoader,
  storageLoader,
  uploadProjectsLoader,
} from './storage.js';
import { activitiesLoader, attachmentsLoader, quarantineLoader } from './lists.js';

const makers = {
  users: userLoader,
  projects: projectLoader,
  containers: containerLoader,
  attachments: attachmentsLoader,
  activities: activitiesLoader,
  quarantine: quarantineLoader,
  storages: storageLoader,
  oauthApplications: oauthApplicationLoader,
  clientCredentials: credentialsLoader,
  storageTokens: storageTokenLoader,
  uploadProjects: uploadProjectsLoader,
};
export type Loaders = { readonly [name in keyof typeof makers]: ReturnType<(typeof makers)[name]> };

export function makeLoaders(context: Dependencies): Loaders {
  const loaders = {} as Loaders;
  for (const [name, make] of Object.entries(makers)) {
    Object.defineProperty(loaders, name, {
      configurable: true,
      get: () => {
        const value = make(context);
        Object.defineProperty(loaders, name, { value });
        return value;
      },
    });
  }
  return loaders;
}
