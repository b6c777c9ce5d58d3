/** The password of every database login in tests. */
export const TEST_PASSWORD = 'test-password'
