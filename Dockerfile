# The image of the service: docker build -t moorage .
FROM node:22-bookworm-slim AS build
# The SQLite driver is compiled: a build that is downloaded may want a newer C library than this base has.
RUN apt-get update && apt-get install -y --no-install-recommends python3 make g++ && rm -rf /var/lib/apt/lists/*
WORKDIR /app
# A dependency would report its installation. The headers that the compiler needs are in the base.
ENV SCARF_ANALYTICS=false npm_config_build_from_source=sqlite3 npm_package_config_node_gyp_nodedir=/usr/local
COPY package.json package-lock.json ./
COPY client/package.json client/
COPY web/package.json web/
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json schema.graphql ./
COPY scripts/build.mjs scripts/build-assets.mjs scripts/newest.mjs scripts/bundle-packages.mjs scripts/licences-of.mjs scripts/not-bundled.mjs scripts/
COPY client client
COPY web web
COPY migrations migrations
COPY openapi/generated openapi/generated
COPY src src
RUN npm run --silent build -- --copy
RUN npm prune --omit=dev --no-audit --no-fund

FROM node:22-bookworm-slim
# The threads that read SQLite share memory (MALLOC_ARENA_MAX) instead of keeping some each.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 MALLOC_ARENA_MAX=2
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/assets assets
COPY package.json schema.graphql LICENSE ./
COPY migrations migrations
COPY openapi/generated openapi/generated
# Any user of group 0 can write to it. Files that it makes there are of that group.
RUN mkdir /data && chown node:0 /data && chmod 2770 /data && ln -s /app/dist/cli/moorage.cjs /usr/local/bin/moorage
# The defaults of DATABASE_URL and BLOB_STORE are below the working directory, in /data here. Set in this file they would stand in the way of DATABASE_URL_FILE.
WORKDIR /
USER node
VOLUME /data
EXPOSE 8080
# Whoever restarts what is not healthy mends nothing while the database is away: that is told by /health/ready.
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# No shell in between: signals reach the server.
ENTRYPOINT ["node", "/app/dist/cli/moorage.cjs"]
CMD ["serve"]
