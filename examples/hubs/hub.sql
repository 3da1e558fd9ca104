-- The service's own role and table, on the source database.
create role hub_service login password 'hub-service-secret';
create table hub (
  tenant_id text not null,
  id bigint not null,
  city text not null,
  primary key (tenant_id, id)
);
alter table hub owner to hub_service;

-- Row-level security is the service's choice. Where it is on, Tidemark's migration adds a policy for its capture role,
-- which would see no row otherwise. The owner is exempt.
alter table hub enable row level security;
