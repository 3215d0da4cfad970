# Build with everything, run with what is needed, as nobody in particular.
FROM node:24-bookworm-slim AS manifests
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
RUN npx tsc -p service/tsconfig.build.json

FROM manifests AS dependencies
RUN npm ci --ignore-scripts --omit=dev --omit=optional --workspace service --include-workspace-root=false

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 OPS_HOST=0.0.0.0
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=dependencies /app/service service
COPY --from=build /app/service/dist service/dist
COPY service/migrations service/migrations
USER node
EXPOSE 3000 9464
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.OPS_PORT ?? 9464}/live`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "service/bin/vis-server.js"]
CMD ["serve"]
