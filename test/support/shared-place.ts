/** A place for an instance on PostgreSQL and an object store: an empty database, an empty bucket. */
import { sharedPostgres } from './postgres.ts'
import type { Bucket } from './s3.ts'

export interface SharedPlace {
  url: string
  bucket: Bucket
  env: Record<string, string>
}

export async function newSharedPlace(newBucket: () => Promise<Bucket>): Promise<SharedPlace> {
  const url = await (await sharedPostgres()).createDatabase()
  const place = await newBucket()
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = place
  return {
    url,
    bucket: place,
    env: {
      DATABASE_URL: url,
      S3_ENDPOINT: endpoint,
      S3_BUCKET: bucket,
      S3_REGION: region,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
      FUNDUS_TEST_UNFLUSHED: '1',
      PUBLIC_URL: 'http://fundus.test',
    },
  }
}
