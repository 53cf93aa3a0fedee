# The shop in one image: `docker build -t shop .`; compose.yaml shows how it is run.
FROM node:24-bookworm-slim AS build
WORKDIR /opt/shop
COPY package.json package-lock.json .npmrc ./
COPY scripts/trim-packages.js scripts/
# The image has a Node of its own, so the one among the packages stays out.
RUN npm ci --omit=dev && rm -rf node_modules/node-linux-*
COPY . .
RUN node scripts/build.ts

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/var/lib/shop
WORKDIR /opt/shop
COPY --from=build --chown=node:node /opt/shop /opt/shop
RUN mkdir -p /var/lib/shop && chown node:node /var/lib/shop && chmod 700 /var/lib/shop
USER node
VOLUME /var/lib/shop
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=6s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "scripts/launch.js", "server/start.js"]
