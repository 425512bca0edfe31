/** A place for an instance on PostgreSQL and an object store: an empty database, an empty bucket. */
import { afterAll } from 'bun:test'
import { findPostgres, type PostgresServer, startPostgres } from './postgres.ts'
import { type Bucket, useBuckets } from './s3.ts'
import { toolOrFail } from './tools.ts'

export interface SharedPlace {
  url: string
  bucket: Bucket
  /** What the service is told. */
  env: Record<string, string>
}

/** At the top of a test file: a function that makes a place. */
export function useSharedPlaces(): () => Promise<SharedPlace> {
  const newBucket = useBuckets()
  let server: Promise<PostgresServer> | undefined
  afterAll(async () => {
    await (await server?.catch(() => undefined))?.stop()
  })
  return async () => {
    toolOrFail('postgresql', findPostgres)
    server ??= startPostgres()
    const url = await (await server).createDatabase()
    const place = await newBucket()
    const { endpoint, bucket, region, accessKeyId, secretAccessKey } = place
    const env = {
      DATABASE_URL: url,
      S3_ENDPOINT: endpoint,
      S3_BUCKET: bucket,
      S3_REGION: region,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
      FUNDUS_TEST_UNFLUSHED: '1',
      PUBLIC_URL: 'http://fundus.test',
    }
    return { url, bucket: place, env }
  }
}
