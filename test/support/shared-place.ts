/**
 * What the two instances of a service share in the shared mode: a database, a bucket, and the forwarder's
 * address.
 */
import { findCeph, type S3Place, startCeph } from './ceph.ts'
import { serviceHost } from './host-client.ts'
import { isShared, testWorkers } from './modes.ts'
import { databasesAt, sharedPostgres } from './postgres.ts'
import { outlastsFiles, startLasting } from './remains.ts'
import { type Bucket, makeBucket } from './s3.ts'
import { sharedPart } from './shared-parts.ts'
import { toolOrFail } from './tools.ts'

export interface SharedPlace {
  databaseUrl: string
  bucket: Bucket
  /** The variables for a service or command. */
  env: Record<string, string>
}

/** By data folder: a second service on the same folder is another one on the same database. */
const places = new Map<string, Promise<SharedPlace>>()

export function sharedPlace(dataDir: string, given?: SharedPlace): Promise<SharedPlace> {
  const place = places.get(dataDir) ?? Promise.resolve(given ?? newPlace())
  places.set(dataDir, place)
  return place
}

/** Undefined in the embedded mode. */
export const knownPlace = (dataDir: string) => places.get(dataDir)

export async function removePlace(dataDir: string): Promise<void> {
  const place = await places.get(dataDir)
  places.delete(dataDir)
  if (place) await databasesAt((await sharedPostgres()).port).dropDatabase(place.databaseUrl)
}

/** On the servers of this run, with migrated tables. */
export async function newPlace(): Promise<SharedPlace> {
  const [postgres, store] = await Promise.all([sharedPostgres(), sharedStore()])
  return makePlace(postgres, store)
}

/** On the servers of this run, without a single table, as before the first start. */
export async function emptyPlace(): Promise<SharedPlace> {
  const [postgres, store] = await Promise.all([sharedPostgres(), sharedStore()])
  return placeOf(await postgres.createDatabase(), await makeBucket(store))
}

/** On servers of its own, for tests that kill, pause or cut them off. */
export async function makePlace(postgres: { port: number }, store: S3Place): Promise<SharedPlace> {
  const host = await serviceHost()
  return placeOf(...(await Promise.all([host.database(postgres.port), makeBucket(store)])))
}

function placeOf(databaseUrl: string, bucket: Bucket): SharedPlace {
  const env = {
    DATABASE_URL: databaseUrl,
    S3_ENDPOINT: bucket.endpoint,
    S3_BUCKET: bucket.bucket,
    S3_REGION: bucket.region,
    S3_ACCESS_KEY_ID: bucket.accessKeyId,
    S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
    PUBLIC_URL: 'http://fundus.test',
    FUNDUS_TEST_UNFLUSHED: '1',
  }
  return { databaseUrl, bucket, env }
}

let ownStore: Promise<S3Place> | undefined

/** The store of this run; a file that runs alone starts its own, which the kernel ends with this process. */
async function sharedStore(): Promise<S3Place> {
  toolOrFail('radosgw', findCeph)
  const shared = await sharedPart('store')
  ownStore ??= shared ? Promise.resolve(shared) : startLasting(startCeph).then(({ place }) => place)
  const store = await ownStore
  outlastsFiles(new URL(store.endpoint).port)
  return store
}

/** One address whose connections go to the instances in turn. */
export async function startForwarding() {
  const host = await serviceHost()
  const port = await host.forward([])
  return {
    port,
    async to(targets: number[]) {
      await host.forward(targets, port)
    },
    [Symbol.asyncDispose]: () => host.endForward(port),
  }
}

// Requests on one connection all reach the same instance or worker; with a connection for each they
// alternate.
if (isShared() || testWorkers() !== null) {
  const plain = globalThis.fetch
  const alternating = (input: Parameters<typeof fetch>[0], init?: RequestInit) =>
    plain(input, { ...init, keepalive: false })
  globalThis.fetch = Object.assign(alternating, plain)
}
