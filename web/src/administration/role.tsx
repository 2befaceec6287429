/** One role: its name, and what it permits. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { askAgain, moorage } from '../service';
import { Failure, Loading, Missing } from '../shell/failure';
import { Icon } from '../shell/icon';
import { tell } from '../shell/messages';
import { nameOf, say } from '../words';
import { useQuestion } from './confirm';
import { CheckList, Field, Form, textsOf } from './form';
import { Frame } from './frame';
import {
  CreateRoleDocument,
  DeleteRoleDocument,
  UpdateRoleDocument,
  type Permission,
} from './generated/documents';
import { permissionGroups } from './permissions';
import { administeredRoles } from './roles';

const above = { to: '/administration/roles', label: 'table.roles' } as const;
const refresh = (): Promise<void> => askAgain(['administration', 'roles']);
const permissionsOf = (form: FormData) => form.getAll('permissions') as Permission[];

function Permissions({ now = [] }: { now?: readonly Permission[] }) {
  return permissionGroups.map(({ label, permissions }) => (
    <CheckList
      key={label}
      name="permissions"
      label={say(label)}
      options={permissions.map((value) => ({ value, label: nameOf(`permission.${value}`, value) }))}
      checked={now}
    />
  ));
}

export function NewRole() {
  const navigate = useNavigate();
  return (
    <Frame title={say('roles.new')} above={above}>
      <div className="panel narrow">
        <Form
          label={say('roles.new')}
          submit={say('new.create')}
          onSubmit={async (form) => {
            const input = { name: textsOf(form)['name'] ?? '', permissions: permissionsOf(form) };
            const { createRole } = await moorage.mutate(CreateRoleDocument, { input });
            void refresh();
            await navigate({
              to: '/administration/roles/$id',
              params: { id: String(createRole.role.databaseId) },
            });
            return undefined;
          }}
        >
          <Field name="name" label={say('table.name')} autoFocus />
          <Permissions />
        </Form>
      </div>
    </Frame>
  );
}

export function RolePage({ id }: { id: string }) {
  const navigate = useNavigate();
  const { ask, asked } = useQuestion();
  const query = useQuery(administeredRoles);
  if (query.isPending) return <Loading />;
  if (query.isError)
    return <Failure whole error={query.error} again={() => void query.refetch()} />;
  const { roles, publicRoles } = query.data;
  const isThis = ({ databaseId }: { databaseId: number }): boolean => String(databaseId) === id;
  const ofMembers = roles.find(isThis);
  const role = ofMembers ?? publicRoles.find(isThis);
  if (!role) return <Missing />;
  const remove = (): void =>
    ask({
      title: say('roles.deleteTitle', { name: role.name }),
      text: say('roles.deleteSays'),
      act: say('files.delete'),
      run: async () => {
        await moorage.mutate(DeleteRoleDocument, { input: { id: role.id } });
        await navigate({ to: '/administration/roles' });
        await refresh();
        tell(say('roles.deleted', { name: role.name }));
      },
    });
  return (
    <Frame
      title={role.name}
      above={above}
      facts={!ofMembers && <span>{say('roles.publicSays')}</span>}
      actions={
        ofMembers && (
          <button type="button" className="button" onClick={remove}>
            <Icon name="bin" />
            {say('files.delete')}
          </button>
        )
      }
    >
      <div className="panel narrow">
        <Form
          label={say('roles.may')}
          submit={say('admin.save')}
          onSubmit={async (form) => {
            const { name } = textsOf(form);
            const input = {
              id: role.id,
              permissions: permissionsOf(form),
              ...(name !== undefined && { name }),
            };
            await moorage.mutate(UpdateRoleDocument, { input });
            tell(say('admin.saved'));
            void refresh();
            return undefined;
          }}
        >
          {ofMembers && <Field name="name" label={say('table.name')} defaultValue={role.name} />}
          <Permissions now={role.permissions ?? []} />
        </Form>
      </div>
      {asked}
    </Frame>
  );
}
