/** The pages of administrators, by the part of the address that names them. */
import '../styles/administration.css';
import { learn } from '../words/language';
import { Applications } from './applications';
import { Audit } from './audit';
import { Import } from './import/import';
import { NewApplication } from './new-application';
import { NewPerson } from './people/new-person';
import { People } from './people/people';
import { PersonPage } from './people/person';
import { AdministeredProject, NewProject } from './projects/project';
import { AdministeredProjects } from './projects/projects';
import { Quarantine } from './quarantine';
import { NewRole, RolePage } from './role';
import { Roles } from './roles';
import { NewStorage } from './storages/new-storage';
import { StoragePage } from './storages/storage';
import { Storages } from './storages/storages';
import { System } from './system';
import { Usage } from './usage';
import { NewWebhook, WebhookPage } from './webhooks/webhook';
import { Webhooks } from './webhooks/webhooks';
import { en } from './words/en';

await learn({
  en: () => en,
  de: async () => (await import('./words/de')).de,
  ar: async () => (await import('./words/ar')).ar,
});

const pages = {
  storages: Storages,
  newStorage: NewStorage,
  storage: StoragePage,
  quarantine: Quarantine,
  people: People,
  newPerson: NewPerson,
  person: PersonPage,
  projects: AdministeredProjects,
  newProject: NewProject,
  project: AdministeredProject,
  roles: Roles,
  newRole: NewRole,
  role: RolePage,
  audit: Audit,
  webhooks: Webhooks,
  newWebhook: NewWebhook,
  webhook: WebhookPage,
  applications: Applications,
  newApplication: NewApplication,
  import: Import,
  system: System,
  usage: Usage,
} satisfies { [section: string]: (address: { id: string }) => React.ReactNode };

export type AdministrationSection = keyof typeof pages;

export default function Administration({
  section,
  id,
}: {
  section: AdministrationSection;
  id: string;
}) {
  const Page = pages[section];
  return <Page key={id} id={id} />;
}
