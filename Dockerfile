# The image of the service, from the package that npm pack makes: docker build -t moorage .
FROM node:24.21.0-bookworm-slim AS package
WORKDIR /checkout
COPY package.json package-lock.json ./
COPY client/package.json client/
COPY web/package.json web/
# Nothing runs the SQLite driver here.
RUN npm ci --no-audit --no-fund --ignore-scripts
COPY . .
RUN npm pack --silent --pack-destination /

FROM node:24.21.0-bookworm-slim AS install
RUN apt-get update && apt-get install -y --no-install-recommends python3 make g++ && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=package /moorage-*.tgz /
# The SQLite driver is compiled: a build that is downloaded may want a newer C library than this base has.
# The headers that the compiler needs are in the base. Of the driver only the result is kept.
RUN npm_config_build_from_source=sqlite3 npm_package_config_node_gyp_nodedir=/usr/local npm install --no-audit --no-fund /moorage-*.tgz
RUN cd node_modules/sqlite3 && mv build/Release/node_sqlite3.node . && rm -rf build deps src && mkdir -p build/Release && mv node_sqlite3.node build/Release/

FROM node:24.21.0-bookworm-slim
# It reads the first pages of PDFs.
RUN apt-get update && apt-get install -y --no-install-recommends poppler-utils && rm -rf /var/lib/apt/lists/* /var/cache/apt/*
# The threads that read SQLite share memory (MALLOC_ARENA_MAX) instead of keeping some each.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 MALLOC_ARENA_MAX=2
COPY --from=install /app /app
# Any user of group 0 can write to it. Files that it makes there are of that group.
RUN mkdir /data && chown node:0 /data && chmod 2770 /data && ln -s /app/node_modules/moorage/dist/cli/moorage.cjs /usr/local/bin/moorage
# The defaults of DATABASE_URL and BLOB_STORE are below the working directory, in /data here. Set in this file they would stand in the way of DATABASE_URL_FILE.
WORKDIR /
USER node
VOLUME /data
EXPOSE 8080
# Whoever restarts what is not healthy mends nothing while the database is away: that is told by /health/ready.
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# No shell in between: signals reach the server.
ENTRYPOINT ["node", "/app/node_modules/moorage/dist/cli/moorage.cjs"]
CMD ["serve"]
