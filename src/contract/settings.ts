/**
 * The settings an operator can change while the service runs: names as on the wire, what each accepts,
 * and its default. A saved value wins over the environment, which wins over the default.
 */
import { z } from 'zod'

const megabytes = (fallback: number) =>
  z.coerce
    .number('muss eine Zahl in Megabyte sein')
    .positive('muss größer als null sein')
    .max(1024 * 1024, 'darf höchstens 1048576 sein')
    .default(fallback)

const httpAddress = (value: string) => {
  try {
    return ['http:', 'https:'].includes(new URL(value).protocol)
  } catch {
    return false
  }
}

/** Without a port: the same host answers however it is reached. */
const HOST_NAME = /^[a-z0-9.-]+$|^\[[0-9a-f:.]+\]$/

export const settingSchemas = {
  PUBLIC_URL: z
    .string()
    .refine(httpAddress, 'muss mit http:// oder https:// beginnen')
    .transform(value => value.replace(/\/+$/, ''))
    .optional(),
  FILES_HOST: z
    .string()
    .toLowerCase()
    .refine(value => value === '' || HOST_NAME.test(value), 'muss ein Hostname ohne Port sein')
    .default(''),
  MAX_UPLOAD_MB: megabytes(64),
} as const

export type SettingName = keyof typeof settingSchemas

export interface SettingValues {
  /** The public address without a final slash; every returned address is built from it. */
  PUBLIC_URL: string
  /** Empty: the host name of a request is ignored. */
  FILES_HOST: string
  MAX_UPLOAD_MB: number
}
