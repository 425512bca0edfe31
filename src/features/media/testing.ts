/** For tests of stored files: settings from environment variables, and relocations that never run. */
import { createSettings } from '../settings/settings.ts'

export const mediaParts = (environment: Record<string, string> = {}) => ({
  settings: createSettings({ environment, port: 8080 }),
  relocations: { kick: () => {} },
})

/** Environment in which replaced contents are discarded instead of moved to the trash. */
export const DISCARD_REPLACED = { UEBERSCHRIEBENE: 'nie' }
