export * from 'tanstack-ai-sandbox/testkit'
