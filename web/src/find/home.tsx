/** The first page: search, my projects, my files, what is new. */
import { Link } from '@tanstack/react-router';
import { Blank } from '../shell/failure';
import { useMe } from '../shell/me';
import { Heading } from '../shell/page';
import { SearchBox } from '../shell/search-box';
import { say } from '../words';
import { FileList } from './file-list';
import { loadNotifications, markAllRead, NotificationList } from './notifications';
import { Paged, usePaged } from './paged';
import { ProjectCard } from './project-card';
import { loadProjects } from './projects';
import { loadRecent } from './recent';

const SHOWN = { projects: 6, files: 8, news: 5 };

export function Home() {
  const { data, isPending } = useMe();
  if (isPending) return null;
  return data?.viewer.login ? <Mine name={data.viewer.firstName} /> : <Welcome />;
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

function Mine({ name }: { name: string }) {
  const projects = usePaged(['projects', 'home'], loadProjects('', SHOWN.projects));
  const recent = usePaged(['recent', 'home'], loadRecent(SHOWN.files));
  const news = usePaged(['notifications', 'home'], loadNotifications(false, SHOWN.news));
  return (
    <>
      <div className="home-hull">
        <Heading
          title={say('home.title', { name })}
          window={say('app.home')}
          facts={<SearchBox />}
        />
      </div>
      <div className="wrap">
        <section className="raised" aria-label={say('home.projects')}>
          {projects.query.isPending || (
            <ul className="cards">
              {projects.rows.map((project) => (
                <ProjectCard key={project.id} project={project} />
              ))}
              {projects.rows.length === 0 && <li className="card">{say('home.noProjects')}</li>}
            </ul>
          )}
        </section>
        <div className="home">
          <section aria-labelledby="recent">
            <div className="head">
              <h2 id="recent">{say('home.recent')}</h2>
              <Link to="/recent">{say('home.allRecent')}</Link>
            </div>
            <Paged
              list={recent}
              more={false}
              empty={<Blank icon="folder" title={say('home.noRecent')} />}
            >
              {(rows) => <FileList files={rows} />}
            </Paged>
          </section>
          <section className="zone" aria-labelledby="news">
            <div className="head">
              <h2 id="news">{say('home.news')}</h2>
              {news.rows.some(({ read }) => !read) && (
                <button type="button" className="button quiet" onClick={() => void markAllRead()}>
                  {say('notifications.readAll')}
                </button>
              )}
            </div>
            <Paged
              list={news}
              more={false}
              empty={<p className="soft">{say('home.nothingNew')}</p>}
            >
              {(rows) => <NotificationList notifications={rows} />}
            </Paged>
          </section>
        </div>
      </div>
    </>
  );
}
