/** The first page: recent files, my open work packages, my projects, what is new. */
import { Link } from '@tanstack/react-router';
import { MyWorkPackagesDocument } from '../generated/documents';
import { moorage } from '../service';
import { Blank } from '../shell/failure';
import { useMe } from '../shell/me';
import { Heading } from '../shell/page';
import { say } from '../words';
import { today } from '../words/formats';
import { FileTiles } from './file-list';
import { loadNotifications, markAllRead, NotificationList } from './notifications';
import { Paged, usePaged } from './paged';
import { noneWithoutPermission } from './permission';
import { ProjectCard } from './project-card';
import { loadProjects } from './projects';
import { useFoundFiles } from './found-files';
import { WorkPackageList } from './work-package-list';

const SHOWN = { projects: 6, files: 10, workPackages: 8, news: 6 };

export function Home() {
  const { data, isPending } = useMe();
  if (isPending) return null;
  return data?.viewer.login ? <Mine me={data.viewer} /> : <Welcome />;
}

function Welcome() {
  return (
    <div className="home-hull plain">
      <Heading
        title={say('welcome.title')}
        window={say('app.home')}
        facts={<span>{say('welcome.says')}</span>}
        actions={
          <a className="button main" href="/login">
            {say('app.signIn')}
          </a>
        }
      />
    </div>
  );
}

interface Me {
  databaseId: number;
  firstName: string;
}

function Mine({ me: { databaseId, firstName } }: { me: Me }) {
  return (
    <>
      <Heading
        title={say('home.title', { name: firstName })}
        window={say('app.home')}
        facts={<span>{today()}</span>}
      />
      <div className="wrap home">
        <div className="home-main">
          <RecentFiles person={databaseId} />
          <MyWorkPackages person={databaseId} />
          <MyProjects />
        </div>
        <News />
      </div>
    </>
  );
}

function RecentFiles({ person }: { person: number }) {
  const filter = { authorIds: [String(person)] };
  const list = useFoundFiles('recent', { filter, first: SHOWN.files });
  return (
    <section aria-labelledby="recent">
      <div className="head">
        <h2 id="recent">{say('home.recent')}</h2>
        <Link to="/recent">{say('home.allRecent')}</Link>
      </div>
      <Paged list={list} more={false} empty={<Blank icon="folder" title={say('home.noRecent')} />}>
        {(rows) => <FileTiles files={rows} />}
      </Paged>
    </section>
  );
}

function MyWorkPackages({ person }: { person: number }) {
  const list = usePaged(['workPackages', 'mine'], async (after, signal) => {
    const variables = { person: String(person), first: SHOWN.workPackages, after };
    const answer = await moorage
      .query(MyWorkPackagesDocument, variables, { signal })
      .catch(noneWithoutPermission);
    return answer?.workPackages;
  });
  return (
    <section aria-labelledby="mine">
      <div className="head">
        <h2 id="mine">
          {say('home.workPackages')} <span className="count">{list.total}</span>
        </h2>
      </div>
      <Paged list={list} empty={<p className="soft">{say('home.noWorkPackages')}</p>}>
        {(rows) => <WorkPackageList rows={rows} withProject />}
      </Paged>
    </section>
  );
}

function MyProjects() {
  const list = usePaged(['projects', 'home'], loadProjects('', SHOWN.projects));
  return (
    <section aria-labelledby="my-projects">
      <div className="head">
        <h2 id="my-projects">{say('home.projects')}</h2>
        <Link to="/projects">{say('home.allProjects')}</Link>
      </div>
      <Paged list={list} more={false} empty={<p className="soft">{say('home.noProjects')}</p>}>
        {(rows) => (
          <ul className="cards">
            {rows.map((project) => (
              <ProjectCard key={project.id} project={project} />
            ))}
          </ul>
        )}
      </Paged>
    </section>
  );
}

function News() {
  const news = usePaged(['notifications', 'home'], loadNotifications(false, SHOWN.news));
  return (
    <section className="zone" aria-labelledby="news">
      <div className="head">
        <h2 id="news">{say('home.news')}</h2>
        {news.rows.some(({ read }) => !read) && (
          <button type="button" className="button quiet" onClick={() => void markAllRead()}>
            {say('notifications.readAll')}
          </button>
        )}
      </div>
      <Paged list={news} more={false} empty={<p className="soft">{say('home.nothingNew')}</p>}>
        {(rows) => (
          <>
            <NotificationList notifications={rows} />
            <p>
              <Link to="/notifications">{say('home.allNews')}</Link>
            </p>
          </>
        )}
      </Paged>
    </section>
  );
}
