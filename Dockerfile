# Two stages: build with everything, run with what is needed, as nobody in particular.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.base.json ./
COPY service/package.json service/
COPY sdk/package.json sdk/
COPY cli/package.json cli/
COPY console/package.json console/
RUN npm ci --ignore-scripts
COPY service service
COPY sdk sdk
COPY cli cli
RUN npx tsc -p service/tsconfig.build.json \
 && npm prune --omit=dev --omit=optional --ignore-scripts --workspace service

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 OPS_HOST=0.0.0.0
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/service/package.json service/package.json
COPY --from=build /app/service/bin service/bin
COPY --from=build /app/service/dist service/dist
COPY --from=build /app/service/migrations service/migrations
USER node
EXPOSE 3000 9464
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:9464/live').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "service/bin/vis-server.js"]
CMD ["serve"]
