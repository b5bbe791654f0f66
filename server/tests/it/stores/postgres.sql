--
-- PostgreSQL database dump
--


-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: access_tokens; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.access_tokens (
    jti text NOT NULL,
    approval_id text NOT NULL,
    expires_at bigint NOT NULL,
    revoked_at bigint
);


--
-- Name: agent_patterns; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.agent_patterns (
    project_id text NOT NULL,
    code text NOT NULL,
    version text NOT NULL,
    accelerator_id text NOT NULL,
    name text NOT NULL,
    name_key text NOT NULL,
    sort_key bytea NOT NULL,
    description text NOT NULL,
    guidelines text NOT NULL,
    status text NOT NULL,
    recipe_source text NOT NULL,
    max_iteration bigint NOT NULL,
    usage_count bigint NOT NULL,
    revision bigint NOT NULL,
    locked_by text,
    locked_at bigint,
    created_at bigint NOT NULL,
    created_by text NOT NULL,
    updated_at bigint NOT NULL,
    updated_by text NOT NULL,
    roles text NOT NULL,
    integrations text NOT NULL
);


--
-- Name: application_instances; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.application_instances (
    id bigint NOT NULL,
    name text NOT NULL,
    region text NOT NULL,
    base_url text NOT NULL,
    closed bigint NOT NULL
);


--
-- Name: approvals; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.approvals (
    id text NOT NULL,
    client_id text NOT NULL,
    user_id text NOT NULL,
    scopes text NOT NULL,
    created_at bigint NOT NULL,
    revoked_at bigint
);


--
-- Name: audit_trail; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.audit_trail (
    id bytea NOT NULL,
    number bigint,
    at bigint NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    subject text NOT NULL,
    origin text NOT NULL,
    detail text NOT NULL,
    seal bytea NOT NULL
);


--
-- Name: collab_invitations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.collab_invitations (
    profile_id text NOT NULL,
    "position" bigint NOT NULL,
    project_id text NOT NULL
);


--
-- Name: collab_organizations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.collab_organizations (
    id bigint NOT NULL,
    application_instance_id bigint NOT NULL,
    hub_organization_id bigint NOT NULL,
    name text NOT NULL
);


--
-- Name: collab_profiles; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.collab_profiles (
    id text NOT NULL,
    hub_user_id text NOT NULL,
    collab_organization_id bigint NOT NULL,
    user_name text NOT NULL,
    user_name_key text NOT NULL,
    communication_email text NOT NULL,
    language text NOT NULL,
    created_at bigint NOT NULL,
    created_by text
);


--
-- Name: collab_projects; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.collab_projects (
    collab_organization_id bigint NOT NULL,
    id text NOT NULL,
    name text NOT NULL
);


--
-- Name: design_instances; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.design_instances (
    name text NOT NULL
);


--
-- Name: design_projects; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.design_projects (
    id text NOT NULL,
    instance text NOT NULL,
    code text NOT NULL,
    name text NOT NULL,
    version text NOT NULL
);


--
-- Name: device_grants; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.device_grants (
    id text NOT NULL,
    device_mac bytea NOT NULL,
    user_mac bytea NOT NULL,
    client_id text NOT NULL,
    scopes text NOT NULL,
    state text NOT NULL,
    origin text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    interval_seconds bigint NOT NULL,
    polled_at bigint,
    decided_by text,
    decided_at bigint,
    CONSTRAINT device_grants_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'approved'::text, 'denied'::text, 'redeemed'::text])))
);


--
-- Name: disabled_users; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.disabled_users (
    user_id text NOT NULL,
    disabled_at bigint NOT NULL
);


--
-- Name: failed_attempts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.failed_attempts (
    subject text NOT NULL,
    failures bigint NOT NULL,
    started_at bigint NOT NULL,
    blocked_until bigint NOT NULL
);


--
-- Name: hub_administrators; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.hub_administrators (
    organization_id bigint NOT NULL,
    user_id text NOT NULL
);


--
-- Name: hub_organizations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.hub_organizations (
    id bigint NOT NULL,
    name text NOT NULL,
    trading_name text NOT NULL,
    city text NOT NULL,
    state text NOT NULL,
    country text NOT NULL,
    closed bigint NOT NULL
);


--
-- Name: hub_users; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.hub_users (
    id text NOT NULL,
    email text NOT NULL,
    email_address text NOT NULL,
    first_name text NOT NULL,
    middle_name text,
    last_name text NOT NULL,
    language text NOT NULL,
    organization_id bigint NOT NULL,
    communication_email text NOT NULL,
    password_hash text,
    created_at bigint NOT NULL,
    created_by text
);


--
-- Name: idempotency_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.idempotency_keys (
    key_mac bytea NOT NULL,
    request_mac bytea NOT NULL,
    answer text NOT NULL,
    created_at bigint NOT NULL
);


--
-- Name: inference_changes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.inference_changes (
    id bigint NOT NULL,
    count bigint NOT NULL
);


--
-- Name: inference_compartments; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.inference_compartments (
    id text NOT NULL,
    tenancy text NOT NULL,
    key_quota bigint,
    created_at bigint NOT NULL
);


--
-- Name: inference_grants; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.inference_grants (
    compartment_id text NOT NULL,
    principal text NOT NULL,
    verb text NOT NULL
);


--
-- Name: inference_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.inference_keys (
    id text NOT NULL,
    region text NOT NULL,
    compartment_id text NOT NULL,
    display_name text NOT NULL,
    name_order bytea NOT NULL,
    description text,
    freeform_tags text NOT NULL,
    defined_tags text NOT NULL,
    version bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    deleted_at bigint
);


--
-- Name: inference_limits; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.inference_limits (
    key_id text NOT NULL,
    requests_per_minute bigint,
    tokens_per_minute bigint,
    concurrent_streams bigint,
    token_budget bigint,
    budget_period text
);


--
-- Name: inference_policies; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.inference_policies (
    id text NOT NULL,
    statement text NOT NULL,
    created_at bigint NOT NULL
);


--
-- Name: inference_retries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.inference_retries (
    token_mac bytea NOT NULL,
    request_mac bytea NOT NULL,
    key_id text NOT NULL,
    renewed text,
    sealed bytea,
    created_at bigint NOT NULL
);


--
-- Name: inference_secrets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.inference_secrets (
    key_id text NOT NULL,
    "position" bigint NOT NULL,
    name text NOT NULL,
    public_id text NOT NULL,
    digest bytea NOT NULL,
    mask text NOT NULL,
    state text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    activated_at bigint,
    deactivated_at bigint,
    revoked_at bigint,
    last_used_at bigint
);


--
-- Name: inference_tenancies; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.inference_tenancies (
    id text NOT NULL,
    key_limit bigint NOT NULL
);


--
-- Name: inference_usage; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.inference_usage (
    key_id text NOT NULL,
    model text NOT NULL,
    day text NOT NULL,
    requests bigint NOT NULL,
    errors bigint NOT NULL,
    input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL
);


--
-- Name: inference_usage_segments; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.inference_usage_segments (
    id text NOT NULL,
    written_at bigint NOT NULL
);


--
-- Name: mail_outbox; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.mail_outbox (
    id text NOT NULL,
    kind text NOT NULL,
    user_id text NOT NULL,
    recipient text NOT NULL,
    language text NOT NULL,
    about text NOT NULL,
    created_at bigint NOT NULL,
    next_at bigint NOT NULL,
    attempts bigint NOT NULL,
    problem text,
    sent_at bigint,
    dead_at bigint
);


--
-- Name: meta; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.meta (
    name text NOT NULL,
    value text NOT NULL
);


--
-- Name: migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migrations (
    version bigint NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL
);


--
-- Name: oauth_assertions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.oauth_assertions (
    client_id text NOT NULL,
    jti text NOT NULL,
    expires_at bigint NOT NULL
);


--
-- Name: oauth_client_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.oauth_client_keys (
    client_id text NOT NULL,
    kid text NOT NULL,
    x5t text,
    modulus text NOT NULL,
    exponent text NOT NULL,
    algorithm text NOT NULL,
    created_at bigint NOT NULL
);


--
-- Name: oauth_client_secrets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.oauth_client_secrets (
    client_id text NOT NULL,
    mac bytea NOT NULL,
    created_at bigint NOT NULL
);


--
-- Name: oauth_clients; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.oauth_clients (
    id text NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    roles text NOT NULL,
    grants text NOT NULL,
    introspects bigint NOT NULL,
    access_token_seconds bigint NOT NULL,
    strict bigint NOT NULL,
    saml_issuer text,
    disabled bigint NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT oauth_clients_kind_check CHECK ((kind = ANY (ARRAY['confidential'::text, 'public'::text, 'assertion'::text, 'saml'::text])))
);


--
-- Name: passkey_ceremonies; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.passkey_ceremonies (
    digest bytea NOT NULL,
    expires_at bigint NOT NULL
);


--
-- Name: passkeys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.passkeys (
    credential_id bytea NOT NULL,
    user_id text NOT NULL,
    name text NOT NULL,
    static_state bytea NOT NULL,
    dynamic_state bytea NOT NULL,
    transports bigint NOT NULL,
    created_at bigint NOT NULL,
    used_at bigint
);


--
-- Name: password_tokens; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.password_tokens (
    token_mac bytea NOT NULL,
    user_id text NOT NULL,
    expires_at bigint NOT NULL,
    used_at bigint
);


--
-- Name: pattern_accelerators; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pattern_accelerators (
    id text NOT NULL,
    name text NOT NULL,
    version text NOT NULL,
    description text NOT NULL,
    guidelines text NOT NULL,
    recipe_source text NOT NULL,
    max_iteration bigint NOT NULL,
    roles text NOT NULL,
    integrations text NOT NULL,
    digest text NOT NULL,
    added_at bigint NOT NULL,
    added_by text
);


--
-- Name: refresh_tokens; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.refresh_tokens (
    mac bytea NOT NULL,
    approval_id text NOT NULL,
    issued_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    used_at bigint
);


--
-- Name: revoked_tokens; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.revoked_tokens (
    jti text NOT NULL,
    number bigint NOT NULL,
    expires_at bigint NOT NULL
);


--
-- Name: sequences; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sequences (
    name text NOT NULL,
    value bigint NOT NULL
);


--
-- Name: server_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.server_keys (
    name text NOT NULL,
    number bigint NOT NULL,
    promoted_at bigint NOT NULL,
    retired_at bigint
);


--
-- Name: server_replicas; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.server_replicas (
    id text NOT NULL,
    held text NOT NULL,
    uses text NOT NULL,
    seen_at bigint NOT NULL
);


--
-- Name: sessions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sessions (
    mac bytea NOT NULL,
    user_id text NOT NULL,
    origin text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
);


--
-- Name: signing_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.signing_keys (
    kid text NOT NULL,
    modulus text NOT NULL,
    exponent text NOT NULL,
    sealed bytea NOT NULL,
    created_at bigint NOT NULL,
    active_from bigint NOT NULL,
    expires_at bigint
);


--
-- Data for Name: access_tokens; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.access_tokens VALUES ('50d498c3-5e57-4067-991d-86b5c3cb7877', 'f77413d1-6426-4c47-881b-a1d2dd82e204', 1795388155000, NULL);
INSERT INTO public.access_tokens VALUES ('c775dce5-20a6-415b-b587-13c60634b7aa', '98c3beb0-6928-441c-be59-8e0e92f1261b', 1795388161000, NULL);


--
-- Data for Name: agent_patterns; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.agent_patterns VALUES ('9d2f6a34-1c0e-4c57-8e0b-7b6f3a2d1e01', 'ORDER_TRIAGE', '01.00.0000', '3f1c2a9e-6d0b-4f6e-9c64-0a4c8c0d7b01', 'ReAct', 'react', '\x7265616374004f524445525f5452494147450030312e30302e30303030', 'Reasons about the task, acts through a tool, looks at the result and goes on.', 'Think before every action. Stop as soon as the task is answered.', 'CONFIGURED', 'System', 10, 0, 1, NULL, NULL, 1795384555450, 'ana', 1795384555450, 'ana', '[]', '[{"code":"REACT_CORE","name":"ReAct core","status":"ACTIVATED","type":"APPLICATION","version":"01.00.0000"}]');
INSERT INTO public.agent_patterns VALUES ('9d2f6a34-1c0e-4c57-8e0b-7b6f3a2d1e21', 'BERTHS', '01.00.0000', '3f1c2a9e-6d0b-4f6e-9c64-0a4c8c0d7b01', 'ReAct', 'react', '\x7265616374004245525448530030312e30302e30303030', 'Reasons about the task, acts through a tool, looks at the result and goes on.', 'Think before every action. Stop as soon as the task is answered.', 'CONFIGURED', 'System', 10, 0, 2, 'ops', 1795384555532, 1795384555455, 'ana', 1795384555532, 'ops', '[]', '[{"code":"REACT_CORE","name":"ReAct core","status":"ACTIVATED","type":"APPLICATION","version":"01.00.0000"}]');


--
-- Data for Name: application_instances; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.application_instances VALUES (71, 'Collab North', 'eu-north', 'https://north.collab.example/login', 0);
INSERT INTO public.application_instances VALUES (72, 'Collab Central', 'eu-central', 'https://central.collab.example/login', 0);
INSERT INTO public.application_instances VALUES (79, 'Collab Legacy', 'eu-north', 'https://legacy.collab.example/login', 1);


--
-- Data for Name: approvals; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.approvals VALUES ('f77413d1-6426-4c47-881b-a1d2dd82e204', 'accord-cli', 'ana', 'accounts.read accounts.write patterns.read patterns.write apikeys.read apikeys.write offline_access', 1795384555395, NULL);
INSERT INTO public.approvals VALUES ('98c3beb0-6928-441c-be59-8e0e92f1261b', 'accord-cli', '31fc9710-41cf-42a5-940f-3ec7415919bd', 'accounts.read accounts.write patterns.read patterns.write apikeys.read apikeys.write offline_access', 1795384561187, NULL);


--
-- Data for Name: audit_trail; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.audit_trail VALUES ('\x000001a205421f3d19d79a2fe03e0057', 1, 1795384549181, 'operator:ops', 'identity.user.added', '31fc9710-41cf-42a5-940f-3ec7415919bd', 'console', '', '\xfd89b38fc494ae19c02c691ca4257fa639186cb8e8aa6e455354c4de8276fa59c8fe05c0');
INSERT INTO public.audit_trail VALUES ('\x000001a205421f8c7b401bced8073cfe', 2, 1795384549260, 'operator:ops', 'identity.password.set', '31fc9710-41cf-42a5-940f-3ec7415919bd', 'console', 'by an operator', '\xfd89b38f77ba158b7d8c44d62fe1694b40306a3e6203a68d0a8d10b8713860cf89bbdc26');
INSERT INTO public.audit_trail VALUES ('\x000001a2054220d70cd2a50ce2e11c61', 3, 1795384549591, 'operator:ops', 'accounts.directory.applied', 'directory', 'console', '2 changes', '\xfd89b38f6e476c8e3c6a8a7419bf8e0a42814906e13ff9244992e204d83adc9fca00d8c7');
INSERT INTO public.audit_trail VALUES ('\x000001a2054221226736c4905033c8c5', 4, 1795384549666, 'operator:ops', 'inference.compartment.set', 'compartment.south', 'console', '', '\xfd89b38fbac0e85ff1c0e617225bf661201066775078599c20875930f98fb4f8b8f3411a');
INSERT INTO public.audit_trail VALUES ('\x000001a20542216e70b47a9d5ac26b04', 5, 1795384549742, 'operator:ops', 'inference.grant.set', 'compartment.south', 'console', '31fc9710-41cf-42a5-940f-3ec7415919bd: manage', '\xfd89b38f261522cd504bd16e481283e45c503b5353ef8082e25ac0f289b81eeb56de4cbb');
INSERT INTO public.audit_trail VALUES ('\x000001a2054221bc33aecf38ba81fff0', 6, 1795384549820, 'operator:ops', 'inference.grant.set', 'compartment.south', 'console', 'a-service-that-was-never-a-user: inspect', '\xfd89b38f860e359695e54eebbba5d81dbf28588c4990b05428d1789aad21469a04fc70b4');
INSERT INTO public.audit_trail VALUES ('\x000001a2054221ce0756091252fdf681', 7, 1795384549838, 'user:ana', 'identity.session.started', 'ana', '127.0.0.1', 'password', '\xfd89b38f5d2e6f90de1f1041dbe5f164f33620c24f42e186fdf028d32ec71f872fed950a');
INSERT INTO public.audit_trail VALUES ('\x000001a2054221f70756091252fdf682', 8, 1795384549879, 'user:ana', 'identity.grant.approved', 'f77413d1-6426-4c47-881b-a1d2dd82e204', '127.0.0.1', '', '\xfd89b38f940463d806d83a623ddcda17597d2d5a8f454c5e65a9f3c3af513047cd9c0547');
INSERT INTO public.audit_trail VALUES ('\x000001a2054237830756091252fdf683', 9, 1795384555395, 'client:accord-cli', 'identity.grant.redeemed', 'f77413d1-6426-4c47-881b-a1d2dd82e204', '127.0.0.1', 'for user:ana, scope accounts.read accounts.write patterns.read patterns.write apikeys.read apikeys.write offline_access', '\xfd89b38fc0a731bf4bb4a8fb82e33c6e7e9faebca3fbeb7ac7dcad8f48460802510247d8');
INSERT INTO public.audit_trail VALUES ('\x000001a2054237930756091252fdf684', 10, 1795384555411, 'user:ana', 'accounts.user.created', '4f553d29-59e0-4472-8543-398b0a85914f', '127.0.0.1', 'organization 3104', '\xfd89b38f833084550a08b46598ea2c3d35ba8a759ca272757ff781016210e59fe1061302');
INSERT INTO public.audit_trail VALUES ('\x000001a2054237930756091252fdf685', 11, 1795384555411, 'user:ana', 'accounts.profile.created', 'a04d9144-a65c-4cf4-9d47-917a3a61dc3d', '127.0.0.1', 'user 4f553d29-59e0-4472-8543-398b0a85914f, collab organization 5201', '\xfd89b38f34f1679c65ca7b23783f7a98c7d7c301acca4a4c2aa9ab180d752a577b9326c4');
INSERT INTO public.audit_trail VALUES ('\x000001a2054237a00756091252fdf686', 12, 1795384555424, 'user:ana', 'inference.key.created', 'apikey.local.ngvf9wqmyg2pwycs357f7sjcc5', '127.0.0.1', 'in compartment.demo', '\xfd89b38f8b8744042af1ff0e9c8be7abc77d9bba5f31b440e6045c13fd4e698c8d8af930');
INSERT INTO public.audit_trail VALUES ('\x000001a2054237ba0756091252fdf687', 13, 1795384555450, 'user:ana', 'patterns.pattern.created', 'RETAIL/ORDER_TRIAGE|01.00.0000', '127.0.0.1', 'accelerator 3f1c2a9e-6d0b-4f6e-9c64-0a4c8c0d7b01', '\xfd89b38fe1cfd49cb329dcf29390cfa324d7f02264d8d29a208fa02c5e0e0c02e551e4af');
INSERT INTO public.audit_trail VALUES ('\x000001a2054237bf0756091252fdf688', 14, 1795384555455, 'user:ana', 'patterns.pattern.created', 'DOCKS/BERTHS|01.00.0000', '127.0.0.1', 'accelerator 3f1c2a9e-6d0b-4f6e-9c64-0a4c8c0d7b01', '\xfd89b38fb1afb41aa97f92466162f144260499138c32e51b6c27e696b4b0f43607b36637');
INSERT INTO public.audit_trail VALUES ('\x000001a20542380c0d89f489e4560383', 15, 1795384555532, 'operator:ops', 'patterns.pattern.locked', 'DOCKS/BERTHS|01.00.0000', 'console', 'revision 2', '\xfd89b38f044e7afdc8a38291384fe7ab9312097a3e3132f3ec8de0fe218f1cefa9c15fa0');
INSERT INTO public.audit_trail VALUES ('\x000001a20542386341aa7eba1457e013', 16, 1795384555619, 'operator:ops', 'inference.limits.set', 'apikey.local.ngvf9wqmyg2pwycs357f7sjcc5', 'console', 'Limits { requests_per_minute: Some(100), tokens_per_minute: None, concurrent_streams: None, budget: None }', '\xfd89b38fe3b819a4af614833f3351778678eedfa89e916d85db03d858c4d98715e3db9fe');
INSERT INTO public.audit_trail VALUES ('\x000001a2054238790756091252fdf689', 17, 1795384555641, 'user:31fc9710-41cf-42a5-940f-3ec7415919bd', 'identity.session.started', '31fc9710-41cf-42a5-940f-3ec7415919bd', '127.0.0.1', 'password', '\xfd89b38f04f1e79782745f6627d8c595e15331980109dbd418f1f40b94cced1530cc53d8');
INSERT INTO public.audit_trail VALUES ('\x000001a2054238a00756091252fdf68a', 18, 1795384555680, 'user:31fc9710-41cf-42a5-940f-3ec7415919bd', 'identity.grant.approved', '98c3beb0-6928-441c-be59-8e0e92f1261b', '127.0.0.1', '', '\xfd89b38ffd0fdec78dc8b31d75a7e4f82b18ab5f6565740a311214fb865920463504b5bd');
INSERT INTO public.audit_trail VALUES ('\x000001a205424e230756091252fdf68b', 19, 1795384561187, 'client:accord-cli', 'identity.grant.redeemed', '98c3beb0-6928-441c-be59-8e0e92f1261b', '127.0.0.1', 'for user:31fc9710-41cf-42a5-940f-3ec7415919bd, scope accounts.read accounts.write patterns.read patterns.write apikeys.read apikeys.write offline_access', '\xfd89b38fa93051bcd86ac48187cdf228396cb6daeb4adadb162ca793dc01cdddfaa8778d');


--
-- Data for Name: collab_invitations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.collab_invitations VALUES ('a04d9144-a65c-4cf4-9d47-917a3a61dc3d', 0, 'LOCK-1');


--
-- Data for Name: collab_organizations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.collab_organizations VALUES (5201, 71, 3104, 'North Works');
INSERT INTO public.collab_organizations VALUES (5202, 72, 3104, 'North Works Central');
INSERT INTO public.collab_organizations VALUES (5290, 79, 3104, 'North Works Legacy');
INSERT INTO public.collab_organizations VALUES (5310, 71, 4210, 'South Yards');


--
-- Data for Name: collab_profiles; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.collab_profiles VALUES ('5d0c7f3e-2b1a-4a3c-8a54-0f6c2b9d7e10', 'ana', 5201, 'anorth', 'anorth', 'ana@north.example', 'en', 1795384546837, NULL);
INSERT INTO public.collab_profiles VALUES ('a04d9144-a65c-4cf4-9d47-917a3a61dc3d', '4f553d29-59e0-4472-8543-398b0a85914f', 5201, 'mira@north.example', 'mira@north.example', 'mira@north.example', 'no', 1795384555411, 'ana');


--
-- Data for Name: collab_projects; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.collab_projects VALUES (5201, 'HARBOUR-2', 'Harbour, second basin');
INSERT INTO public.collab_projects VALUES (5201, 'LOCK-1', 'Lock at the old quay');
INSERT INTO public.collab_projects VALUES (5202, 'QUAY-7', 'Quay 7');
INSERT INTO public.collab_projects VALUES (5310, 'DRYDOCK-4', 'Dry dock 4');


--
-- Data for Name: design_instances; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.design_instances VALUES ('design-eu-1');
INSERT INTO public.design_instances VALUES ('design-eu-2');


--
-- Data for Name: design_projects; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.design_projects VALUES ('9d2f6a34-1c0e-4c57-8e0b-7b6f3a2d1e01', 'design-eu-1', 'RETAIL', 'Retail', '01.00.0000');
INSERT INTO public.design_projects VALUES ('9d2f6a34-1c0e-4c57-8e0b-7b6f3a2d1e02', 'design-eu-1', 'SUPPLY', 'Supply chain', '01.00.0000');
INSERT INTO public.design_projects VALUES ('9d2f6a34-1c0e-4c57-8e0b-7b6f3a2d1e21', 'design-eu-2', 'DOCKS', 'Docks', '01.00.0000');


--
-- Data for Name: device_grants; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.device_grants VALUES ('f77413d1-6426-4c47-881b-a1d2dd82e204', '\xfd89b38fc7a30294f63334a23cfaf4bd587624cffa68659993d41de9ec09ff7c7d9db3fc', '\xfd89b38f8c621fb8b5595faa878233d9f1e565e32beec3efa83fb5677e3a14208a9c0c2b', 'accord-cli', 'accounts.read accounts.write patterns.read patterns.write apikeys.read apikeys.write offline_access', 'redeemed', '127.0.0.1', 1795384549828, 1795384849828, 5, NULL, 'ana', 1795384549879);
INSERT INTO public.device_grants VALUES ('98c3beb0-6928-441c-be59-8e0e92f1261b', '\xfd89b38f69a0b6422be287b9c47e9d194681b60dacefd2b89d4fc45defa3e5f72d901da2', '\xfd89b38f7cb86777c91f47af105a0a5c5289148fc8a28d0af22f5f602bc4e6ad443f76b4', 'accord-cli', 'accounts.read accounts.write patterns.read patterns.write apikeys.read apikeys.write offline_access', 'redeemed', '127.0.0.1', 1795384555635, 1795384855635, 5, NULL, '31fc9710-41cf-42a5-940f-3ec7415919bd', 1795384555680);


--
-- Data for Name: disabled_users; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: failed_attempts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.failed_attempts VALUES ('signin address 127.0.0.1', 0, 1795384549838, 0);


--
-- Data for Name: hub_administrators; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.hub_administrators VALUES (3104, 'ana');
INSERT INTO public.hub_administrators VALUES (3190, 'ana');
INSERT INTO public.hub_administrators VALUES (4210, '31fc9710-41cf-42a5-940f-3ec7415919bd');


--
-- Data for Name: hub_organizations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.hub_organizations VALUES (3104, 'North Works Ltd', 'North Works', 'Bergen', 'Vestland', 'Norway', 0);
INSERT INTO public.hub_organizations VALUES (3190, 'North Archive Ltd', 'North Archive', 'Oslo', 'Oslo', 'Norway', 1);
INSERT INTO public.hub_organizations VALUES (4210, 'South Yards GmbH', 'South Yards', 'Ulm', 'Baden-Württemberg', 'Germany', 0);


--
-- Data for Name: hub_users; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.hub_users VALUES ('ana', 'ana@north.example', 'ana@north.example', 'Ana', NULL, 'North', 'en', 3104, 'ana@north.example', '$argon2id$v=19$m=19456,t=2,p=1$afobTcvl3YDZFWoJ/wK4fA$dEUOqcjjm+xiLM3a+6Q30Nytf31h5xFl+ATMoQDmDK0', 1795384546837, NULL);
INSERT INTO public.hub_users VALUES ('ben', 'ben@north.example', 'ben@north.example', 'Ben', NULL, 'Holm', 'en', 3104, 'ben@north.example', '$argon2id$v=19$m=19456,t=2,p=1$afobTcvl3YDZFWoJ/wK4fA$dEUOqcjjm+xiLM3a+6Q30Nytf31h5xFl+ATMoQDmDK0', 1795384546837, NULL);
INSERT INTO public.hub_users VALUES ('31fc9710-41cf-42a5-940f-3ec7415919bd', 'eve@south.example', 'eve@south.example', 'Eve', NULL, 'South', 'en', 4210, 'eve@south.example', '$argon2id$v=19$m=19456,t=2,p=1$xUCRjGwyk3hUrWe1gYCzLQ$hjRTB6tG5inl9MKPwxt+0Ix9lCYMBsrzva0HFehkTgA', 1795384549181, NULL);
INSERT INTO public.hub_users VALUES ('4f553d29-59e0-4472-8543-398b0a85914f', 'mira@north.example', 'mira@north.example', 'Mira', NULL, 'Lund', 'no', 3104, 'mira@north.example', NULL, 1795384555411, 'ana');


--
-- Data for Name: idempotency_keys; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: inference_changes; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.inference_changes VALUES (1, 2);


--
-- Data for Name: inference_compartments; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.inference_compartments VALUES ('compartment.demo', 'main', NULL, 1795384546837);
INSERT INTO public.inference_compartments VALUES ('compartment.closed', 'main', NULL, 1795384546837);
INSERT INTO public.inference_compartments VALUES ('compartment.south', 'main', NULL, 1795384549666);


--
-- Data for Name: inference_grants; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.inference_grants VALUES ('compartment.demo', 'ana', 'manage');
INSERT INTO public.inference_grants VALUES ('compartment.demo', 'ben', 'read');
INSERT INTO public.inference_grants VALUES ('compartment.closed', 'ana', 'manage');
INSERT INTO public.inference_grants VALUES ('compartment.closed', 'ben', 'read');
INSERT INTO public.inference_grants VALUES ('compartment.south', '31fc9710-41cf-42a5-940f-3ec7415919bd', 'manage');
INSERT INTO public.inference_grants VALUES ('compartment.south', 'a-service-that-was-never-a-user', 'inspect');


--
-- Data for Name: inference_keys; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.inference_keys VALUES ('apikey.local.ngvf9wqmyg2pwycs357f7sjcc5', 'local', 'compartment.demo', 'old', '\x6f6c64', NULL, '{}', '{}', 1, 1795384555420, 1795384555420, NULL);


--
-- Data for Name: inference_limits; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.inference_limits VALUES ('apikey.local.ngvf9wqmyg2pwycs357f7sjcc5', 100, NULL, NULL, NULL, NULL);


--
-- Data for Name: inference_policies; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.inference_policies VALUES ('policy.demo', 'permit (principal in Compartment::"compartment.demo", action in Action::"call", resource);', 1795384546837);


--
-- Data for Name: inference_retries; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: inference_secrets; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.inference_secrets VALUES ('apikey.local.ngvf9wqmyg2pwycs357f7sjcc5', 1, 'two', '8naqazfrg7vc', '\xfd89b38f2ddcd673c55acafc2b119187b463a6a01289a46543b883129674aa5169013fd6', 'sk-8na...pT7g', 'STANDBY', 1795384555420, 1803160555420, NULL, NULL, NULL, NULL);
INSERT INTO public.inference_secrets VALUES ('apikey.local.ngvf9wqmyg2pwycs357f7sjcc5', 0, 'one', 'mqg89pp426uh', '\xfd89b38fe64cffc6006eac633df942eec005dfeb3ea74df80002a48bcce1895ca5b263df', 'sk-mqg...KPVY', 'ACTIVE', 1795384555420, 1803160555420, 1795384555420, NULL, NULL, 1795384555434);


--
-- Data for Name: inference_tenancies; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: inference_usage; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.inference_usage VALUES ('apikey.local.ngvf9wqmyg2pwycs357f7sjcc5', 'accord.echo', '2026-11-22', 1, 0, 1, 1);


--
-- Data for Name: inference_usage_segments; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.inference_usage_segments VALUES ('eab19999-d11b-4eeb-a28b-7f3b82121e82', 1795384556136);


--
-- Data for Name: mail_outbox; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.mail_outbox VALUES ('2e34c430-eeb1-47c8-b262-6f6d85a53213', 'set-password', '4f553d29-59e0-4472-8543-398b0a85914f', 'mira@north.example', 'no', '{"kind":"set-password","organization":"North Works"}', 1795384555411, 1795384855909, 1, NULL, 1795384555918, NULL);
INSERT INTO public.mail_outbox VALUES ('fa9f082a-b902-4726-83d9-47e0bf4a4067', 'invited', '4f553d29-59e0-4472-8543-398b0a85914f', 'mira@north.example', 'no', '{"kind":"invited","organization":"North Works","address":"https://north.collab.example/login","projects":[{"id":"LOCK-1","name":"Lock at the old quay"}]}', 1795384555411, 1795384855909, 1, NULL, 1795384555918, NULL);


--
-- Data for Name: meta; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.meta VALUES ('origin', 'demo');


--
-- Data for Name: migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migrations VALUES (1, '0001_core', 'bd6ebfb39e65178c84b2f0eef8bbcd1a46bac153a3f97345b1a24beac9ffb988');
INSERT INTO public.migrations VALUES (2, '0002_audit', '84abb3924a67eb2ff1d16f1243e7b348430ac9c8d88d55732813e9d7eabd6bde');
INSERT INTO public.migrations VALUES (10, '0010_accounts', 'd37c7eed53317a0b24c3651d0611229db8b6a5cb7e7b7d430f49f6d51d79a1c4');
INSERT INTO public.migrations VALUES (20, '0020_identity', '9d068229c11a0315f85639a0a510ee953d7ed4e1e5c5b46165973f5c271d6792');
INSERT INTO public.migrations VALUES (30, '0030_inference', '70ebc3baa28a8288f89dde04d659a57914956b8b69325967ae2cb6bd2ba08112');
INSERT INTO public.migrations VALUES (40, '0040_patterns', 'b2bc80431976b211fb0d1a2be77c6f7ccc0bff7f5837cf7ab74a3ec24d46ffcd');


--
-- Data for Name: oauth_assertions; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: oauth_client_keys; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.oauth_client_keys VALUES ('accord-robot', 'accord-robot', NULL, 'uwwp_1UR0KVgUonrnnzaIyibHH2MLX4OCoRisKIhwZAhUM1knf6PjDLy3UyJwcPN3H0hxPNp5Nn2r2BUivuJqn2w_4yVHG73dJcFf8euhJ4VfnHuNaj8a_AtfAK5qsTfG1hhzv-K-6wy6YGgndosLcdlt_kXD1evptaQvvMBsS9npdvtZujTNrNSrYwY7snBEuBYh0zBLpGg3gKi7M2sFIQbykK5WiaIhb-l_4ZqrCpLdndPzpx34ef2Ow_ORvoojEln7Ggt3pJlZLAc9xAGztlUfk32kpfHU-HBCUs0-8T2ZNflkP7nDqGiab37QnGKD0C37aUQQAhY99xfESS5Ew', 'AQAB', 'RS256', 1795384547110);


--
-- Data for Name: oauth_client_secrets; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.oauth_client_secrets VALUES ('accord-web', '\xfd89b38f74ef7932a8c0d12e4ebb89a59680955090321833b412115afecc0e03a7482072', 1795384546837);


--
-- Data for Name: oauth_clients; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.oauth_clients VALUES ('accord-cli', 'Accord command line', 'public', 'accounts_reader accounts_manager patterns_reader patterns_designer apikeys_reader apikeys_manager', 'urn:ietf:params:oauth:grant-type:device_code refresh_token', 0, 3600, 0, NULL, 0, 1795384546837);
INSERT INTO public.oauth_clients VALUES ('accord-web', 'Accord web console', 'confidential', 'accounts_reader accounts_manager patterns_reader patterns_designer apikeys_reader apikeys_manager', 'urn:ietf:params:oauth:grant-type:device_code refresh_token', 1, 3600, 0, NULL, 0, 1795384546837);
INSERT INTO public.oauth_clients VALUES ('accord-robot', 'Accord robot', 'assertion', 'accounts_reader accounts_manager patterns_reader patterns_designer apikeys_reader apikeys_manager', 'urn:ietf:params:oauth:grant-type:device_code refresh_token', 0, 3600, 0, NULL, 0, 1795384546837);


--
-- Data for Name: passkey_ceremonies; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: passkeys; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: password_tokens; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.password_tokens VALUES ('\xfd89b38f8e459ee9172c4167a225d4b66e7c58c433123fa6178e2930aa6005140f8861ba', '4f553d29-59e0-4472-8543-398b0a85914f', 1795643755411, NULL);


--
-- Data for Name: pattern_accelerators; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.pattern_accelerators VALUES ('3f1c2a9e-6d0b-4f6e-9c64-0a4c8c0d7b01', 'ReAct', '01.00.0000', 'Reasons about the task, acts through a tool, looks at the result and goes on.', 'Think before every action. Stop as soon as the task is answered.', 'System', 10, '[]', '[{"code":"REACT_CORE","name":"ReAct core","status":"ACTIVATED","type":"APPLICATION","version":"01.00.0000"}]', 'df59bc588f2b0e678c77846854f819a26b493a2ca24ca1d5a4a5efeab9d2ca36', 1795384546834, NULL);
INSERT INTO public.pattern_accelerators VALUES ('8a5e7c10-2f43-4c1d-b7a9-5d1e0f9c6b02', 'Plan and Execute', '01.00.0000', 'Makes a plan of steps first, carries them out in order, and plans again when one fails.', 'Keep plans short. Change a plan only when a step has failed.', 'System', 10, '[]', '[{"code":"PLAN_EXECUTE_CORE","name":"Plan and Execute core","status":"ACTIVATED","type":"APPLICATION","version":"01.00.0000"}]', 'dbeac12e38c1983025d70259a3a7d25cbaadceec36f4f87ce022e0655837b719', 1795384546834, NULL);


--
-- Data for Name: refresh_tokens; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.refresh_tokens VALUES ('\xfd89b38fb9c239a7c27f52011b11ba9e68082c95fd09aa0181c2bd98bbd5ebc1d7c50dd1', 'f77413d1-6426-4c47-881b-a1d2dd82e204', 1795384555395, 1795989355395, NULL);
INSERT INTO public.refresh_tokens VALUES ('\xfd89b38f6270460158c21a7584b53f51b45be172c3aa5c6759373c84f9c495fa28184141', '98c3beb0-6928-441c-be59-8e0e92f1261b', 1795384561187, 1795989361187, NULL);


--
-- Data for Name: revoked_tokens; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: sequences; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.sequences VALUES ('identity changes', 1);
INSERT INTO public.sequences VALUES ('audit.sealing', 5);


--
-- Data for Name: server_keys; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.server_keys VALUES ('fd89b38f', 0, 1795384546827, NULL);


--
-- Data for Name: server_replicas; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: sessions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.sessions VALUES ('\xfd89b38fd962933f1969aa4aa46f4ff732f11e486cc9c533e8b7a32ca17237f918e8d0aa', 'ana', '127.0.0.1', 1795384549838, 1795413349838);
INSERT INTO public.sessions VALUES ('\xfd89b38fcc75ae51795c142886eda406f7a1394afc8c7bc2f7ee0c5021371bd767ed1f4c', '31fc9710-41cf-42a5-940f-3ec7415919bd', '127.0.0.1', 1795384555641, 1795413355641);


--
-- Data for Name: signing_keys; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.signing_keys VALUES ('XWQiOUDATKcmXZm5gAUdEGuBZJiGDLpKcAVaX4qKlUo', 'uXcTQiRjiXnVrwj8XsARKNEKKPXjmc-MEx-xNBG9NSmFEXykk9AeC3vCEgYC-YruZe70211B3EedDSoG82992zeiuNBTT13GIouc_IdqChs2fH5t0L7197N9eP8ICJ2h4ZcQeJ_80-H4i08tAz3DMKcipzVB_-xwT9_mdmLkOH-1a8Qkhlj9EA7Dne3MT8p1TaKsg81ahMknZPDg2MVHlBMCAA9dsi4EzUHFlb4uOHNiLpuI1bQNf-D7ONc5rlUOrakQLbTFL0Z_QdUaxM6bTF5_bYedfF-wQgqIFpA1xq5ptA0Zf6l8GM9but0i3_f70QmC6KcAaFtw7unrT82YWQ', 'AQAB', '\xfd89b38f1c236dcf83275fb0a2c25aae49c09ca0b4b05b970ed5ed1e5f5c36195c62032bd8e0edbc76127a76deab5683fdb979a7f0d9569e06a26245215ec0e038433184beb12d8ab4bb3daedee8970a7031f5089ad04803ab69361a0fb40b9716be3ae7d860040d5d7bc8ea6b923d09c3c83c8480674735f37a1f146795ddb120f3c66406d21f305f6809970c11860e2091eefda7ec2046d0b1a37e19e61e3f937f93f6db61b74e05559abfcddd5d1e6867b2c6595afb2973485ca64f07531db4c9814497a8c3fbfdd73a41a21135d0b6e4347896ca3f3066529ed5ac8ecf2150efc9536fdfce3be177520381ce85358e38ef05c0c0fae80bfa558ea9e11bbaaf63a33d0174cd5440287c4e58f179f1d07d4b269b4193728f90112cca8de582c3fb94d65d900a74acd0dc94f0cc061a01e5a465d9b92cf7671134abd0ff2e63457117f731011ec1cdb9532c53e1c7798dfe9b9e456c30afda529c92a5fe832834bfe1dbb478a00ca8b4968bf5805e87dd85b0ff1d7e4666fe3f5e054904b72c10856b88c412da1fe4239e9120fd65299c835af27b1d9da94f6cec31606eec0c475d124bf60d89a70d3697dad2824b9696fbf7e02c9e94c62d1e783604237ed248c722271ac96843d24194c257b8511fa65eb8fe444fea4642fbffaac487adc5610a9f3c7012891273360833839fa1bf358120ef10a0846a49ed2c19b63096aa7ebb09dd5358e8cf4076aca7ab31682821af6f96f7903dab37f662d666f123e9806b6bd2ded49b5289677e15a298a65efd3e7a1cfc74dae178b5fc43dc396e5628af3dfcc7dbb5b85b103641e96b089d2dcce2bb4276d4dd29b8eacfbb7054be2f0eac6270a172c52e3f375cf8a73d9ab7a9402af1c18105ee3dbea8bdc212062d325ff045e2a56c894d1f1973e14188929287af1338fbf4b8645b9388121fab7640de517c6e6d1fa2dd6d531ef908c44751facefa82e83c38fd03a080a58ba1c773664947b11355daf5b346a80a3932d3fd7db6fd740618f8096241aced4937fd9d3b359235a6b841cb9dc14f25d871681d8ce4aa638c8ac6ba66430430d0d69d96e4522754a96a2a8cb5014606034c3fcc3bb66215c55129f6c6b4a32add4f5c9e47cde5231b0f81b7b0300bdd108cfd75b09dd2af73daa2b9057411ef320c4958c1bfb4c7e08e3b0c3a3f9395c9aba5ccc1044cc91427bb03b1f5a847259c7a1063bc9b641045b15d23a9fb8a3cbd6eab4191376fbed72be19e151e1ed500f56370bd5594bc6c18744fcfc22d91842eff8123dbe3bd559679c225bfcbb05f7af2f405653e445a4165239072b8818d66badf0153405397a1e0b2c993184307e8660838557afabe103574b066b120bf101c370c86f5149442a6c071e9dbb61ff77382e4a8ce66a04059148437d807e683524ea56d048dae6211445ba5c78e43cb1d97e3bca853e3052eab3eed4557c818f6005478c5cfc41c9ef9647400f868122676ea32421c3b8ebc0e0349aa1c64f1eabf12bcdc981881dcf515f8fd8ad2f85138224ec197e60f6a0463abc61bac2fb228dab793848d3f364e29add46e742c9d4405bae98c70d343d03f85833ccbb0e34b3c60dfbf2c3a9b18df299b5a377356499f6f75e85052a14198e624439da4a4d9e4097bd04bc88191bf8d6f5b7d42a247f40d77421ad65dd936ed6989bbcda267cc98a3fc9b17c91b970ced6037274c105ad7120630b0e6d95c1df61b5100b9b5e844f1be9e9a15edfc00596c8969', 1795384547030, 1795384547030, NULL);


--
-- Name: access_tokens access_tokens_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.access_tokens
    ADD CONSTRAINT access_tokens_pkey PRIMARY KEY (jti);


--
-- Name: agent_patterns agent_patterns_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.agent_patterns
    ADD CONSTRAINT agent_patterns_pkey PRIMARY KEY (project_id, code, version);


--
-- Name: application_instances application_instances_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.application_instances
    ADD CONSTRAINT application_instances_pkey PRIMARY KEY (id);


--
-- Name: approvals approvals_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.approvals
    ADD CONSTRAINT approvals_pkey PRIMARY KEY (id);


--
-- Name: audit_trail audit_trail_number_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_trail
    ADD CONSTRAINT audit_trail_number_key UNIQUE (number);


--
-- Name: audit_trail audit_trail_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_trail
    ADD CONSTRAINT audit_trail_pkey PRIMARY KEY (id);


--
-- Name: collab_invitations collab_invitations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.collab_invitations
    ADD CONSTRAINT collab_invitations_pkey PRIMARY KEY (profile_id, "position");


--
-- Name: collab_organizations collab_organizations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.collab_organizations
    ADD CONSTRAINT collab_organizations_pkey PRIMARY KEY (id);


--
-- Name: collab_profiles collab_profiles_collab_organization_id_user_name_key_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.collab_profiles
    ADD CONSTRAINT collab_profiles_collab_organization_id_user_name_key_key UNIQUE (collab_organization_id, user_name_key);


--
-- Name: collab_profiles collab_profiles_hub_user_id_collab_organization_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.collab_profiles
    ADD CONSTRAINT collab_profiles_hub_user_id_collab_organization_id_key UNIQUE (hub_user_id, collab_organization_id);


--
-- Name: collab_profiles collab_profiles_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.collab_profiles
    ADD CONSTRAINT collab_profiles_pkey PRIMARY KEY (id);


--
-- Name: collab_projects collab_projects_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.collab_projects
    ADD CONSTRAINT collab_projects_pkey PRIMARY KEY (collab_organization_id, id);


--
-- Name: design_instances design_instances_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.design_instances
    ADD CONSTRAINT design_instances_pkey PRIMARY KEY (name);


--
-- Name: design_projects design_projects_instance_code_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.design_projects
    ADD CONSTRAINT design_projects_instance_code_key UNIQUE (instance, code);


--
-- Name: design_projects design_projects_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.design_projects
    ADD CONSTRAINT design_projects_pkey PRIMARY KEY (id);


--
-- Name: device_grants device_grants_device_mac_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.device_grants
    ADD CONSTRAINT device_grants_device_mac_key UNIQUE (device_mac);


--
-- Name: device_grants device_grants_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.device_grants
    ADD CONSTRAINT device_grants_pkey PRIMARY KEY (id);


--
-- Name: device_grants device_grants_user_mac_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.device_grants
    ADD CONSTRAINT device_grants_user_mac_key UNIQUE (user_mac);


--
-- Name: disabled_users disabled_users_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.disabled_users
    ADD CONSTRAINT disabled_users_pkey PRIMARY KEY (user_id);


--
-- Name: failed_attempts failed_attempts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.failed_attempts
    ADD CONSTRAINT failed_attempts_pkey PRIMARY KEY (subject);


--
-- Name: hub_administrators hub_administrators_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.hub_administrators
    ADD CONSTRAINT hub_administrators_pkey PRIMARY KEY (user_id, organization_id);


--
-- Name: hub_organizations hub_organizations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.hub_organizations
    ADD CONSTRAINT hub_organizations_pkey PRIMARY KEY (id);


--
-- Name: hub_users hub_users_email_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.hub_users
    ADD CONSTRAINT hub_users_email_key UNIQUE (email);


--
-- Name: hub_users hub_users_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.hub_users
    ADD CONSTRAINT hub_users_pkey PRIMARY KEY (id);


--
-- Name: idempotency_keys idempotency_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (key_mac);


--
-- Name: inference_changes inference_changes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inference_changes
    ADD CONSTRAINT inference_changes_pkey PRIMARY KEY (id);


--
-- Name: inference_compartments inference_compartments_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inference_compartments
    ADD CONSTRAINT inference_compartments_pkey PRIMARY KEY (id);


--
-- Name: inference_grants inference_grants_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inference_grants
    ADD CONSTRAINT inference_grants_pkey PRIMARY KEY (compartment_id, principal);


--
-- Name: inference_keys inference_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inference_keys
    ADD CONSTRAINT inference_keys_pkey PRIMARY KEY (id);


--
-- Name: inference_limits inference_limits_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inference_limits
    ADD CONSTRAINT inference_limits_pkey PRIMARY KEY (key_id);


--
-- Name: inference_policies inference_policies_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inference_policies
    ADD CONSTRAINT inference_policies_pkey PRIMARY KEY (id);


--
-- Name: inference_retries inference_retries_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inference_retries
    ADD CONSTRAINT inference_retries_pkey PRIMARY KEY (token_mac);


--
-- Name: inference_secrets inference_secrets_digest_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inference_secrets
    ADD CONSTRAINT inference_secrets_digest_key UNIQUE (digest);


--
-- Name: inference_secrets inference_secrets_key_id_name_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inference_secrets
    ADD CONSTRAINT inference_secrets_key_id_name_key UNIQUE (key_id, name);


--
-- Name: inference_secrets inference_secrets_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inference_secrets
    ADD CONSTRAINT inference_secrets_pkey PRIMARY KEY (key_id, "position");


--
-- Name: inference_secrets inference_secrets_public_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inference_secrets
    ADD CONSTRAINT inference_secrets_public_id_key UNIQUE (public_id);


--
-- Name: inference_tenancies inference_tenancies_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inference_tenancies
    ADD CONSTRAINT inference_tenancies_pkey PRIMARY KEY (id);


--
-- Name: inference_usage inference_usage_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inference_usage
    ADD CONSTRAINT inference_usage_pkey PRIMARY KEY (key_id, model, day);


--
-- Name: inference_usage_segments inference_usage_segments_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inference_usage_segments
    ADD CONSTRAINT inference_usage_segments_pkey PRIMARY KEY (id);


--
-- Name: mail_outbox mail_outbox_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.mail_outbox
    ADD CONSTRAINT mail_outbox_pkey PRIMARY KEY (id);


--
-- Name: meta meta_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.meta
    ADD CONSTRAINT meta_pkey PRIMARY KEY (name);


--
-- Name: migrations migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (version);


--
-- Name: oauth_assertions oauth_assertions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_assertions
    ADD CONSTRAINT oauth_assertions_pkey PRIMARY KEY (client_id, jti);


--
-- Name: oauth_client_keys oauth_client_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_client_keys
    ADD CONSTRAINT oauth_client_keys_pkey PRIMARY KEY (client_id, kid);


--
-- Name: oauth_client_secrets oauth_client_secrets_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_client_secrets
    ADD CONSTRAINT oauth_client_secrets_pkey PRIMARY KEY (client_id, mac);


--
-- Name: oauth_clients oauth_clients_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_clients
    ADD CONSTRAINT oauth_clients_pkey PRIMARY KEY (id);


--
-- Name: passkey_ceremonies passkey_ceremonies_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.passkey_ceremonies
    ADD CONSTRAINT passkey_ceremonies_pkey PRIMARY KEY (digest);


--
-- Name: passkeys passkeys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_pkey PRIMARY KEY (credential_id);


--
-- Name: password_tokens password_tokens_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.password_tokens
    ADD CONSTRAINT password_tokens_pkey PRIMARY KEY (token_mac);


--
-- Name: pattern_accelerators pattern_accelerators_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pattern_accelerators
    ADD CONSTRAINT pattern_accelerators_pkey PRIMARY KEY (id);


--
-- Name: refresh_tokens refresh_tokens_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.refresh_tokens
    ADD CONSTRAINT refresh_tokens_pkey PRIMARY KEY (mac);


--
-- Name: revoked_tokens revoked_tokens_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.revoked_tokens
    ADD CONSTRAINT revoked_tokens_pkey PRIMARY KEY (jti);


--
-- Name: sequences sequences_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sequences
    ADD CONSTRAINT sequences_pkey PRIMARY KEY (name);


--
-- Name: server_keys server_keys_number_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.server_keys
    ADD CONSTRAINT server_keys_number_key UNIQUE (number);


--
-- Name: server_keys server_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.server_keys
    ADD CONSTRAINT server_keys_pkey PRIMARY KEY (name);


--
-- Name: server_replicas server_replicas_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.server_replicas
    ADD CONSTRAINT server_replicas_pkey PRIMARY KEY (id);


--
-- Name: sessions sessions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (mac);


--
-- Name: signing_keys signing_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (kid);


--
-- Name: access_tokens_by_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX access_tokens_by_expiry ON public.access_tokens USING btree (expires_at);


--
-- Name: approvals_by_user; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX approvals_by_user ON public.approvals USING btree (user_id);


--
-- Name: audit_trail_unsealed; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_trail_unsealed ON public.audit_trail USING btree (id) WHERE (number IS NULL);


--
-- Name: collab_organizations_instance; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX collab_organizations_instance ON public.collab_organizations USING btree (application_instance_id);


--
-- Name: collab_organizations_owner; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX collab_organizations_owner ON public.collab_organizations USING btree (hub_organization_id);


--
-- Name: device_grants_by_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX device_grants_by_expiry ON public.device_grants USING btree (expires_at);


--
-- Name: device_grants_pending_by_client; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX device_grants_pending_by_client ON public.device_grants USING btree (client_id, expires_at) WHERE (state = 'pending'::text);


--
-- Name: device_grants_pending_by_origin; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX device_grants_pending_by_origin ON public.device_grants USING btree (origin, expires_at) WHERE (state = 'pending'::text);


--
-- Name: idempotency_keys_created; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX idempotency_keys_created ON public.idempotency_keys USING btree (created_at);


--
-- Name: inference_keys_by_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX inference_keys_by_age ON public.inference_keys USING btree (compartment_id, created_at, id);


--
-- Name: inference_keys_by_name; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX inference_keys_by_name ON public.inference_keys USING btree (compartment_id, name_order, id);


--
-- Name: inference_retries_by_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX inference_retries_by_age ON public.inference_retries USING btree (created_at);


--
-- Name: mail_outbox_created; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX mail_outbox_created ON public.mail_outbox USING btree (created_at);


--
-- Name: mail_outbox_waiting; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX mail_outbox_waiting ON public.mail_outbox USING btree (next_at, id) WHERE ((sent_at IS NULL) AND (dead_at IS NULL));


--
-- Name: oauth_assertions_by_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX oauth_assertions_by_expiry ON public.oauth_assertions USING btree (expires_at);


--
-- Name: passkey_ceremonies_by_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX passkey_ceremonies_by_expiry ON public.passkey_ceremonies USING btree (expires_at);


--
-- Name: passkeys_by_user; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX passkeys_by_user ON public.passkeys USING btree (user_id);


--
-- Name: refresh_tokens_by_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX refresh_tokens_by_expiry ON public.refresh_tokens USING btree (expires_at);


--
-- Name: revoked_tokens_by_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX revoked_tokens_by_expiry ON public.revoked_tokens USING btree (expires_at);


--
-- Name: revoked_tokens_by_number; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX revoked_tokens_by_number ON public.revoked_tokens USING btree (number);


--
-- Name: sessions_by_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sessions_by_expiry ON public.sessions USING btree (expires_at);


--
-- Name: sessions_by_user; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sessions_by_user ON public.sessions USING btree (user_id);


--
-- Name: access_tokens access_tokens_approval_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.access_tokens
    ADD CONSTRAINT access_tokens_approval_id_fkey FOREIGN KEY (approval_id) REFERENCES public.approvals(id);


--
-- Name: agent_patterns agent_patterns_accelerator_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.agent_patterns
    ADD CONSTRAINT agent_patterns_accelerator_id_fkey FOREIGN KEY (accelerator_id) REFERENCES public.pattern_accelerators(id);


--
-- Name: agent_patterns agent_patterns_project_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.agent_patterns
    ADD CONSTRAINT agent_patterns_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.design_projects(id);


--
-- Name: approvals approvals_client_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.approvals
    ADD CONSTRAINT approvals_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.oauth_clients(id);


--
-- Name: collab_invitations collab_invitations_profile_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.collab_invitations
    ADD CONSTRAINT collab_invitations_profile_id_fkey FOREIGN KEY (profile_id) REFERENCES public.collab_profiles(id);


--
-- Name: collab_organizations collab_organizations_application_instance_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.collab_organizations
    ADD CONSTRAINT collab_organizations_application_instance_id_fkey FOREIGN KEY (application_instance_id) REFERENCES public.application_instances(id);


--
-- Name: collab_organizations collab_organizations_hub_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.collab_organizations
    ADD CONSTRAINT collab_organizations_hub_organization_id_fkey FOREIGN KEY (hub_organization_id) REFERENCES public.hub_organizations(id);


--
-- Name: collab_profiles collab_profiles_collab_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.collab_profiles
    ADD CONSTRAINT collab_profiles_collab_organization_id_fkey FOREIGN KEY (collab_organization_id) REFERENCES public.collab_organizations(id);


--
-- Name: collab_profiles collab_profiles_hub_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.collab_profiles
    ADD CONSTRAINT collab_profiles_hub_user_id_fkey FOREIGN KEY (hub_user_id) REFERENCES public.hub_users(id);


--
-- Name: collab_projects collab_projects_collab_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.collab_projects
    ADD CONSTRAINT collab_projects_collab_organization_id_fkey FOREIGN KEY (collab_organization_id) REFERENCES public.collab_organizations(id);


--
-- Name: design_projects design_projects_instance_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.design_projects
    ADD CONSTRAINT design_projects_instance_fkey FOREIGN KEY (instance) REFERENCES public.design_instances(name);


--
-- Name: device_grants device_grants_client_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.device_grants
    ADD CONSTRAINT device_grants_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.oauth_clients(id);


--
-- Name: hub_administrators hub_administrators_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.hub_administrators
    ADD CONSTRAINT hub_administrators_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.hub_organizations(id);


--
-- Name: hub_administrators hub_administrators_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.hub_administrators
    ADD CONSTRAINT hub_administrators_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.hub_users(id);


--
-- Name: hub_users hub_users_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.hub_users
    ADD CONSTRAINT hub_users_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.hub_organizations(id);


--
-- Name: inference_grants inference_grants_compartment_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inference_grants
    ADD CONSTRAINT inference_grants_compartment_id_fkey FOREIGN KEY (compartment_id) REFERENCES public.inference_compartments(id);


--
-- Name: inference_keys inference_keys_compartment_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inference_keys
    ADD CONSTRAINT inference_keys_compartment_id_fkey FOREIGN KEY (compartment_id) REFERENCES public.inference_compartments(id);


--
-- Name: inference_limits inference_limits_key_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inference_limits
    ADD CONSTRAINT inference_limits_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.inference_keys(id);


--
-- Name: inference_secrets inference_secrets_key_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inference_secrets
    ADD CONSTRAINT inference_secrets_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.inference_keys(id);


--
-- Name: mail_outbox mail_outbox_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.mail_outbox
    ADD CONSTRAINT mail_outbox_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.hub_users(id);


--
-- Name: oauth_client_keys oauth_client_keys_client_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_client_keys
    ADD CONSTRAINT oauth_client_keys_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.oauth_clients(id);


--
-- Name: oauth_client_secrets oauth_client_secrets_client_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_client_secrets
    ADD CONSTRAINT oauth_client_secrets_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.oauth_clients(id);


--
-- Name: password_tokens password_tokens_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.password_tokens
    ADD CONSTRAINT password_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.hub_users(id);


--
-- Name: refresh_tokens refresh_tokens_approval_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.refresh_tokens
    ADD CONSTRAINT refresh_tokens_approval_id_fkey FOREIGN KEY (approval_id) REFERENCES public.approvals(id);


--
-- PostgreSQL database dump complete
--


