/** Routes of storages, their use by projects, and their OAuth records. */
import { Router, type Request, type Response } from 'express';
import { bodyOf, onlyJson, singleObject } from '../request/body.js';
import type { Body } from '../request/body-members.js';
import { collection, page } from '../represent/collection.js';
import * as documents from '../generated/documents.js';
import { member, targetless } from '../request/file-link-inputs.js';
import { ownMemberNames, type OwnMemberName } from '../../storages/types.js';
import { run } from '../documents/run.js';
import { named, names } from '../documents/words.js';
import { idOf, locals } from '../request/locals.js';
import { paths } from '../represent/paths.js';
import { filtersOf, pageOf } from '../request/page-and-filters.js';
import {
  representCredentials,
  representOAuthApplication,
  representProjectStorage,
  representStorage,
} from '../represent/storage.js';
import { hal, halList, seeOther } from '../represent/respond.js';
import { authenticationMethod, storageType } from '../represent/urns.js';

/** The input for GraphQL. Absent members stay absent. A malformed link becomes null: an error. */
const detailsOf = (body: Body) =>
  present({
    name: body.textOrNull('name'),
    storageAudience: body.textOrNull('storageAudience'),
    tokenExchangeScope: body.textOrNull('tokenExchangeScope'),
    applicationPassword: body.textOrNull('applicationPassword'),
    automaticallyManagedFolders: body.flag('automaticallyManagedFolders'),
    ...(Object.fromEntries(ownMemberNames.map((name) => [name, body.textOrNull(name)])) as {
      [name in OwnMemberName]: string | null | undefined;
    }),
    origin: body.linkedHref('origin'),
    type: named(names.storageType, storageType(body.linkedHref('type'))),
    // A link without a target means the default, or no change.
    authenticationMethod: targetless(member(body.members['_links'], 'authenticationMethod'))
      ? undefined
      : named(
          names.authenticationMethod,
          authenticationMethod(body.linkedHref('authenticationMethod')),
        ),
  });

const present = <T extends object>(
  members: T,
): { [name in keyof T]?: Exclude<T[name], undefined> } =>
  // Cast: `Object.fromEntries` loses the names of the keys.
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [name in keyof T]?: Exclude<T[name], undefined>;
  };

const projectStorageFilters = {
  projectId: 'projectIds',
  project_id: 'projectIds',
  storageId: 'storageIds',
  storage_id: 'storageIds',
  storageUrl: 'storageUrls',
  storage_url: 'storageUrls',
} as const;

export const storages = Router()
  .get('/storages', async (req, res) => {
    const { context, profile } = locals(res);
    filtersOf(req, {});
    const asked = profile.wholeStorages ? undefined : pageOf(req);
    const {
      storages: { totalCount, nodes },
    } = await run(context, documents.ListStoragesDocument, {
      first: asked?.pageSize ?? null,
      page: asked?.offset ?? null,
    });
    const elements = nodes.map((storage) => representStorage(profile, storage));
    hal(
      res,
      asked
        ? page(paths.storages, totalCount, elements, asked)
        : collection(paths.storages, totalCount, elements),
    );
  })
  .post('/storages', onlyJson, singleObject, async (req: Request, res: Response) => {
    const { context, profile } = locals(res);
    const {
      createStorage: { storage, clientSecret },
    } = await run(context, documents.CreateStorageDocument, { input: detailsOf(bodyOf(req, res)) });
    hal(res, representStorage(profile, storage, clientSecret), 201, {
      'Cache-Control': 'private, no-store',
    });
  })
  .get('/storages/:id', async (req, res) => {
    const { context, profile } = locals(res);
    const { storage } = await run(context, documents.ViewStorageDocument, { id: idOf(req) });
    hal(res, representStorage(profile, storage));
  })
  .patch('/storages/:id', onlyJson, singleObject, async (req: Request, res: Response) => {
    const { context, profile } = locals(res);
    const {
      updateStorage: { storage },
    } = await run(context, documents.UpdateStorageDocument, {
      input: { id: idOf(req), ...detailsOf(bodyOf(req, res)) },
    });
    hal(res, representStorage(profile, storage));
  })
  .delete('/storages/:id', async (req, res) => {
    await run(locals(res).context, documents.DeleteStorageDocument, { id: idOf(req) });
    res.status(204).end();
  })
  .get('/storages/:id/open', async (req, res) => {
    const {
      storage: { openUrl },
    } = await run(locals(res).context, documents.OpenStorageDocument, { id: idOf(req) });
    seeOther(res, openUrl);
  })
  .post(
    '/storages/:id/oauth_client_credentials',
    onlyJson,
    singleObject,
    async (req: Request, res: Response) => {
      const { context, profile } = locals(res);
      const body = bodyOf(req, res);
      const input = {
        storageId: idOf(req),
        clientId: body.text('clientId'),
        clientSecret: body.text('clientSecret'),
      };
      if (profile.answersCredentials) {
        const {
          setOAuthClientCredentials: { oauthClientCredentials },
        } = await run(context, documents.SetAndViewOAuthClientCredentialsDocument, { input });
        hal(res, representCredentials(oauthClientCredentials), 201);
      } else {
        const {
          setOAuthClientCredentials: { storage },
        } = await run(context, documents.SetOAuthClientCredentialsDocument, { input });
        hal(res, representStorage(profile, storage), 201);
      }
    },
  )
  .get('/oauth_applications/:id', async (req, res) => {
    const { oauthApplication } = await run(
      locals(res).context,
      documents.ViewOAuthApplicationDocument,
      { id: idOf(req) },
    );
    hal(res, representOAuthApplication(oauthApplication));
  })
  .get('/oauth_client_credentials/:id', async (req, res) => {
    const { oauthClientCredentials } = await run(
      locals(res).context,
      documents.ViewOAuthClientCredentialsDocument,
      { id: idOf(req) },
    );
    hal(res, representCredentials(oauthClientCredentials));
  })
  .get('/project_storages', async (req, res) => {
    const filter = filtersOf(req, projectStorageFilters);
    const { projectStorages } = await run(
      locals(res).context,
      documents.ListProjectStoragesDocument,
      { filter },
    );
    const given = req.query['filters'];
    const self = given
      ? `${paths.projectStorages}?filters=${encodeURIComponent(String(given))}`
      : paths.projectStorages;
    const list = collection(self, projectStorages.totalCount, projectStorages.nodes);
    await halList(res, list, representProjectStorage);
  })
  .get('/project_storages/:id', async (req, res) => {
    const { projectStorage } = await run(
      locals(res).context,
      documents.ViewProjectStorageDocument,
      { id: idOf(req) },
    );
    hal(res, representProjectStorage(projectStorage));
  })
  .get('/project_storages/:id/open', async (req, res) => {
    const {
      projectStorage: { openUrl },
    } = await run(locals(res).context, documents.OpenProjectStorageDocument, { id: idOf(req) });
    seeOther(res, openUrl);
  });
