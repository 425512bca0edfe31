/** The bucket that the settings specify as the third backup target. */
import type { SettingValues } from '../../../contract/service/settings.ts'
import type { S3Location } from '../../../storage/s3/requests.ts'

export interface BucketTarget extends S3Location {
  /** Prepended to every name in the bucket; empty, or ends in a slash. */
  prefix: string
  /** If empty, backups are not encrypted. */
  password: string
}

/** The bucket that the settings specify; null if they specify none. */
export function bucketFromSettings(values: SettingValues): BucketTarget | null {
  const [endpoint, bucket] = [values.SICHERUNG_S3_ENDPOINT, values.SICHERUNG_S3_BUCKET]
  if (endpoint === '' && bucket === '') return null
  return {
    endpoint,
    bucket,
    region: values.SICHERUNG_S3_REGION,
    accessKeyId: values.SICHERUNG_S3_ACCESS_KEY_ID,
    secretAccessKey: values.SICHERUNG_S3_SECRET_ACCESS_KEY,
    prefix: values.SICHERUNG_S3_PRAEFIX,
    password: values.SICHERUNG_PASSWORT,
  }
}

export const isFullyConfigured = ({ endpoint, bucket, accessKeyId, secretAccessKey }: BucketTarget) =>
  ![endpoint, bucket, accessKeyId, secretAccessKey].includes('')

/** The name of the target in messages and in recorded runs. */
export const bucketName = ({ endpoint, bucket, prefix }: BucketTarget) => `${endpoint}/${bucket}/${prefix}`
export const isBucketName = (place: string) => /^https?:/i.test(place)
