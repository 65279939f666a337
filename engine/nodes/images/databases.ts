/** Data stores: they listen, log that they are ready and stop cleanly. */
import { defineImage } from '../runtime/image-definition.ts';
import type { LoadProfile } from '../runtime/load.ts';

/** Of a store that nobody asks anything. */
function load(milliCpu: number, mebibytes: number): LoadProfile {
  return { milliCpu: [{ atMs: 0, value: milliCpu }], memoryBytes: [{ atMs: 0, value: mebibytes * 1024 ** 2 }] };
}

export const redisImage = defineImage({
  repository: 'docker.io/library/redis',
  sizeBytes: 44_911_207,
  entrypoint: ['docker-entrypoint.sh'],
  cmd: ['redis-server'],
  shell: true,
  folders: ['/data'],
  tools: { 'redis-cli': 'PONG\n' },
  programs: {
    'docker-entrypoint.sh': {
      load: load(3, 9),
      startupMs: 120,
      log: ['1:C {time} * oO0OoO0OoO0Oo Redis is starting oO0OoO0OoO0Oo', '1:M {time} * Ready to accept connections tcp'],
      ports: [{ port: 6379 }],
      onTerm: { afterMs: 90, exitCode: 0 },
    },
    'redis-server': {
      load: load(3, 9),
      startupMs: 120,
      log: ['1:M {time} * Ready to accept connections tcp'],
      ports: [{ port: 6379 }],
      onTerm: { afterMs: 90, exitCode: 0 },
    },
  },
});

export const postgresImage = defineImage({
  repository: 'docker.io/library/postgres',
  sizeBytes: 158_302_911,
  entrypoint: ['docker-entrypoint.sh'],
  cmd: ['postgres'],
  shell: true,
  folders: ['/var/lib/postgresql/data', '/docker-entrypoint-initdb.d'],
  tools: { pg_isready: '/var/run/postgresql:5432 - accepting connections\n' },
  programs: {
    'docker-entrypoint.sh': {
      load: load(5, 36),
      startupMs: 2_500,
      log: ['PostgreSQL init process complete; ready for start up.', '{time} [1] LOG:  database system is ready to accept connections'],
      ports: [{ port: 5432 }],
      onTerm: { afterMs: 200, exitCode: 0 },
    },
  },
});

export const mysqlImage = defineImage({
  repository: 'docker.io/library/mysql',
  sizeBytes: 233_100_410,
  entrypoint: ['docker-entrypoint.sh'],
  cmd: ['mysqld'],
  shell: true,
  folders: ['/var/lib/mysql', '/docker-entrypoint-initdb.d', '/etc/mysql/conf.d'],
  tools: { mysqladmin: 'mysqld is alive\n' },
  programs: {
    'docker-entrypoint.sh': {
      load: load(8, 390),
      startupMs: 6_000,
      log: ['{time} 0 [System] [MY-010931] [Server] /usr/sbin/mysqld: ready for connections.'],
      ports: [{ port: 3306 }],
      onTerm: { afterMs: 900, exitCode: 0 },
    },
  },
});
