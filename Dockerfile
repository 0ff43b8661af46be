# Scythe with its web app. Chromium is left out unless asked for:
#   docker build --build-arg CHROMIUM=1 -t scythe .
#   docker run -p 8377:8377 -v scythe:/data scythe
# `python -m benchmarks.container` takes the same steps without Docker.
FROM python:3.13-slim AS build
WORKDIR /build
COPY . .
# What pyproject.toml bounds is not bounded here again.
# hadolint ignore=DL3013
RUN pip install --no-cache-dir --prefix=/install '.[web,crawl,postgres,parquet,browser]'

FROM python:3.13-slim
ARG CHROMIUM=0
# The image's own release says which Chromium there is.
# hadolint ignore=DL3008
RUN if [ "$CHROMIUM" = 1 ]; then \
      apt-get update && apt-get install -y --no-install-recommends chromium fonts-dejavu-core \
      && rm -rf /var/lib/apt/lists/*; \
    fi
COPY --from=build /install /usr/local
RUN useradd --create-home --uid 1000 scythe && mkdir /data && chown scythe /data
USER 1000
ENV SCYTHE_DB=sqlite:////data/scythe.db
VOLUME /data
EXPOSE 8377
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["python", "-c", "import http.client as h; c = h.HTTPConnection('127.0.0.1', 8377, timeout=4); c.request('HEAD', '/'); exit(c.getresponse().status >= 500)"]
ENTRYPOINT ["scythe"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8377"]
