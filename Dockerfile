# The build stage has all packages, the final image only those needed at run time. The service runs without root and
# writes only below /tmp (feed files): run it with --read-only --tmpfs /tmp.
# A test checks that this version of Node equals the one in package.json. A release adds the digest of the image
# (tools/pin-images.ts).
ARG NODE=24.21.0-bookworm-slim
# A test checks that the version equals the one in service/package.json.
ARG VERSION=0.1.0

FROM node:${NODE} AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY service/package.json service/
COPY service/bin service/bin
COPY sdk/package.json sdk/
COPY cli/package.json cli/
COPY cli/bin cli/bin
COPY console/package.json console/

FROM manifests AS build
RUN npm ci --ignore-scripts
COPY tsconfig.base.json ./
COPY service service
RUN node_modules/.bin/tsc -p service/tsconfig.build.json && node service/scripts/write-documentation-files.ts
# The console compiles the sdk from its sources.
COPY sdk/src sdk/src
COPY console console
RUN npm run build --workspace console

FROM manifests AS dependencies
RUN npm ci --ignore-scripts --omit=dev --omit=optional --workspace service --include-workspace-root=false

FROM node:${NODE}
ARG VERSION
# Commit that the image is built from: --build-arg REVISION=$(git rev-parse HEAD)
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Vulnerability Intelligence Service" \
      org.opencontainers.image.description="HTTP API with one merged record per CVE" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production HOST=0.0.0.0 OPS_HOST=0.0.0.0
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=dependencies /app/service service
COPY --from=build /app/service/dist service/dist
COPY --from=build /app/console/dist console/dist
COPY service/migrations service/migrations
COPY service/sample service/sample
# For operators in a running container: "vis-server accounts list".
RUN ln -s /app/service/bin/vis-server.js /usr/local/bin/vis-server
# A numeric user: Kubernetes cannot verify that a named user is not root.
USER 1000:1000
EXPOSE 3000 9464 9465
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.HEALTH_PORT ?? process.env.OPS_PORT ?? 9464}/live`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "service/bin/vis-server.js"]
CMD ["serve"]
