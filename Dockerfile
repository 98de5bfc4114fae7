# seggrid with its workflow: docker build -t seggrid . && docker run --rm -v "$PWD:/study" seggrid run --cores 2
# The base image is named by its tag. Where builds must not change, name it by its digest.
FROM python:3.13-slim-bookworm

# eflomal is compiled. Debian removes old versions from its mirrors, so a pinned one could soon not be built.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev make \
    && rm -rf /var/lib/apt/lists/*

WORKDIR /opt/seggrid
COPY . .
# Compiled kernels are used on processors like that of the build, and compiled anew on others.
RUN pip install --no-cache-dir -c requirements.lock '.[grid,eflomal]' \
    && python -m seggrid.grid.run.warm

WORKDIR /study
ENTRYPOINT ["seggrid"]
CMD ["run"]
