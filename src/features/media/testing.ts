/** For tests of stored files: settings by environment, and objects that do not follow by themselves. */
import { createSettings } from '../settings/settings.ts'

export const mediaParts = (environment: Record<string, string> = {}) => ({
  settings: createSettings({ environment, port: 8080 }),
  relocations: { kick: () => {} },
})

/** Replaced contents are discarded at once, whoever replaces them. */
export const DISCARDING = { UEBERSCHRIEBENE: 'nie' }
