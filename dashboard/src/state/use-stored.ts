/** State that the browser remembers for the next visit. Windows that are open side by side do not follow each other. */
import { useLocalStorage } from '@mantine/hooks'

export const useStored = <T>(key: string, defaultValue: T) =>
  useLocalStorage<T>({ key, defaultValue, getInitialValueInEffect: false, sync: false })
